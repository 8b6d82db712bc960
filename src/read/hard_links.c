/* hard_links.c - find the target of each hard link. */
#include "read/hard_links.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define NOWHERE UINT64_MAX

static const char *strip_dot(const char *path)
{
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

int hard_links_add(struct hard_links *l, const char *path, const char *target,
                   uint64_t at, bool wanted, struct cooc_err *err)
{
    struct hard_link new = { .at = at, .source = NOWHERE, .wanted = wanted };
    int rc = array_grow(&l->items, &l->cap, l->n + 1, sizeof new, err);

    if (rc < 0)
        return rc;
    path = strip_dot(path);
    target = strip_dot(target);
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
    return strcmp((*(struct hard_link *const *)x)->target,
                  (*(struct hard_link *const *)y)->target);
}

int hard_links_sort(struct hard_links *l, struct cooc_err *err)
{
    l->by_target = mem_array(l->n, sizeof(struct hard_link *));
    if (!l->by_target)
        return err_nomem(err);
    for (size_t i = 0; i < l->n; i++)
        l->by_target[i] = &l->items[i];
    qsort(l->by_target, l->n, sizeof(struct hard_link *), by_target);
    return 0;
}

/* Index in by_target of the first link with a target not less than path. */
static size_t first_to(const struct hard_links *l, const char *path)
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

/* The target of the link with entry number at, or NOWHERE if it is not
 * known. */
static uint64_t source_of(struct hard_links *l, uint64_t at)
{
    while (l->next < l->n && l->items[l->next].at < at)
        l->next++;
    return l->next < l->n && l->items[l->next].at == at
               ? l->items[l->next].source : NOWHERE;
}

void hard_links_visit(struct hard_links *l, const char *path, uint64_t at,
                      bool is_link)
{
    uint64_t source = is_link ? source_of(l, at) : at;

    path = strip_dot(path);
    for (size_t i = first_to(l, path);
         i < l->n && strcmp(l->by_target[i]->target, path) == 0; i++)
        if (l->by_target[i]->at > at)
            l->by_target[i]->source = source;
}

static int by_source(const void *x, const void *y)
{
    const struct hard_link *a = x, *b = y;

    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static void hard_link_release(struct hard_link *link)
{
    mem_free(link->path);
    mem_free(link->target);
}

uint64_t hard_links_resolve(struct hard_links *l)
{
    uint64_t lost = 0;
    size_t kept = 0;

    for (size_t i = 0; i < l->n; i++) {
        struct hard_link *link = &l->items[i];

        if (link->wanted && link->source != NOWHERE) {
            l->items[kept++] = *link;
            continue;
        }
        lost += link->wanted;
        hard_link_release(link);
    }
    l->n = l->next = kept;
    if (kept)
        qsort(l->items, kept, sizeof *l->items, by_source);
    return lost;
}

bool hard_links_pass_done(const struct hard_links *l)
{
    return l->next == l->n;
}

/* Skip links that have been returned, and links to entry number at. */
static void skip_emitted(struct hard_links *l, uint64_t at)
{
    while (l->next < l->n &&
           (!l->items[l->next].wanted || l->items[l->next].source == at))
        l->next++;
}

bool hard_links_begin_pass(struct hard_links *l)
{
    l->next = 0;
    skip_emitted(l, NOWHERE);
    return l->next < l->n;
}

const char *hard_links_name_at(struct hard_links *l, uint64_t at)
{
    struct hard_link *link = &l->items[l->next];

    if (l->next == l->n || link->source != at)
        return NULL;
    link->wanted = false;
    skip_emitted(l, at);
    return link->path;
}

void hard_links_release(struct hard_links *l)
{
    for (size_t i = 0; i < l->n; i++)
        hard_link_release(&l->items[i]);
    mem_free(l->items);
    mem_free(l->by_target);
    *l = (struct hard_links){ 0 };
}
