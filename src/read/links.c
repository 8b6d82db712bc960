/* links.c - find the entry that each hard link means. */
#include "read/links.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define NOWHERE UINT64_MAX

static const char *plain(const char *path)
{
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

int links_add(struct links *l, const char *path, const char *target,
              uint64_t at, bool wanted, struct cooc_err *err)
{
    struct link new = { .at = at, .source = NOWHERE, .wanted = wanted };
    int rc = array_grow(&l->items, &l->cap, l->n + 1, sizeof new, err);

    if (rc < 0)
        return rc;
    path = plain(path);
    target = plain(target);
    new.path = mem_dup(path, strlen(path));
    new.target = mem_dup(target, strlen(target));
    if (!new.path || !new.target) {
        mem_free(new.path);
        mem_free(new.target);
        return err_nomem(err);
    }
    l->items[l->n++] = new;
    return 0;
}

static int by_target(const void *x, const void *y)
{
    return strcmp((*(struct link *const *)x)->target,
                  (*(struct link *const *)y)->target);
}

int links_sort(struct links *l, struct cooc_err *err)
{
    l->by_target = mem_array(l->n, sizeof(struct link *));
    if (!l->by_target)
        return err_nomem(err);
    for (size_t i = 0; i < l->n; i++)
        l->by_target[i] = &l->items[i];
    qsort(l->by_target, l->n, sizeof(struct link *), by_target);
    return 0;
}

/* The first link, in the order of targets, that names path or one after. */
static size_t first_to(const struct links *l, const char *path)
{
    size_t low = 0, high = l->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(l->by_target[mid]->target, path) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The entry that link number at means, as far as it is known. */
static uint64_t source_of(struct links *l, uint64_t at)
{
    while (l->next < l->n && l->items[l->next].at < at)
        l->next++;
    return l->next < l->n && l->items[l->next].at == at
               ? l->items[l->next].source : NOWHERE;
}

void links_see(struct links *l, const char *path, uint64_t at, bool is_link)
{
    uint64_t source = is_link ? source_of(l, at) : at;

    path = plain(path);
    for (size_t i = first_to(l, path);
         i < l->n && strcmp(l->by_target[i]->target, path) == 0; i++)
        if (l->by_target[i]->at > at)
            l->by_target[i]->source = source;
}

static int by_source(const void *x, const void *y)
{
    const struct link *a = x, *b = y;

    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static void drop(struct link *link)
{
    mem_free(link->path);
    mem_free(link->target);
}

uint64_t links_settle(struct links *l)
{
    uint64_t lost = 0;
    size_t kept = 0;

    for (size_t i = 0; i < l->n; i++) {
        struct link *link = &l->items[i];

        if (link->wanted && link->source != NOWHERE) {
            l->items[kept++] = *link;
            continue;
        }
        lost += link->wanted;
        drop(link);
    }
    l->n = l->next = kept;
    if (kept)
        qsort(l->items, kept, sizeof *l->items, by_source);
    return lost;
}

bool links_pass_over(const struct links *l)
{
    return l->next == l->n;
}

/* Step over what was handed out, and over links to entry number at. */
static void step(struct links *l, uint64_t at)
{
    while (l->next < l->n &&
           (!l->items[l->next].wanted || l->items[l->next].source == at))
        l->next++;
}

bool links_begin_pass(struct links *l)
{
    l->next = 0;
    step(l, NOWHERE);
    return l->next < l->n;
}

const char *links_at(struct links *l, uint64_t at)
{
    struct link *link = &l->items[l->next];

    if (l->next == l->n || link->source != at)
        return NULL;
    link->wanted = false;
    step(l, at);
    return link->path;
}

void links_release(struct links *l)
{
    for (size_t i = 0; i < l->n; i++)
        drop(&l->items[i]);
    mem_free(l->items);
    mem_free(l->by_target);
    *l = (struct links){ 0 };
}
