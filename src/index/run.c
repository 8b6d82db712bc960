/* run.c - sorted dictionaries, written out, read back and merged. */
#include "index/run.h"

#include <string.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "dict/dict.h"

#define WRITE_AT ((size_t)1 << 18)
#define WINDOW_MAX ((uint64_t)1 << 20)
#define WINDOW_MIN ((uint64_t)256) /* merging may bring any number of runs */

struct head { /* of a record in a file */
    uint32_t id, len;
    uint64_t number;
};

void run_release(struct run *r)
{
    dict_free(r->dict);
    mem_free(r->df);
    buf_release(&r->data);
}

/* The hash of the records before this one, and of this one. */
static uint64_t mix(uint64_t before, const char *record, size_t len)
{
    return XXH3_64bits_withSeed(record, len, before);
}

/* Write what there is. */
static int flush(struct run_out *o, struct cooc_err *err)
{
    size_t len = o->buf.len;

    o->run->len += len;
    o->buf.len = 0;
    return file_write(o->run->fd, o->buf.data, len, o->path, err);
}

int run_out_add(struct run_out *o, uint32_t id, uint64_t number,
                const char *name, size_t len, struct cooc_err *err)
{
    struct head head = { .id = id, .len = (uint32_t)len, .number = number };
    size_t at = o->buf.len;
    int rc = buf_add(&o->buf, &head, sizeof head, err);

    if (rc == 0)
        rc = buf_add(&o->buf, name, len, err);
    if (rc == 0)
        o->run->hash = mix(o->run->hash, o->buf.data + at, o->buf.len - at);
    o->run->n++;
    if (rc < 0 || o->run->fd < 0 || o->buf.len < WRITE_AT)
        return rc;
    return flush(o, err);
}

int run_out_end(struct run_out *o, struct cooc_err *err)
{
    if (o->run->fd >= 0)
        return flush(o, err);
    o->run->data = o->buf;
    o->buf = (struct buf){ 0 };
    return 0;
}

int run_cursor_init(struct run_cursor *c, const struct run *run,
                    const char *path, size_t window, struct cooc_err *err)
{
    *c = (struct run_cursor){ .run = run, .path = path, .left = run->len };
    if (run->dict)
        return dict_sorted(run->dict, &c->order, err);
    if (run->fd < 0) {
        c->window = run->data; /* not ours: it is all there, and stays */
        c->left = 0;
        return 0;
    }
    return buf_reserve(&c->window, window, err);
}

/* Have at least need bytes from at on in the window. */
static int fill(struct run_cursor *c, size_t need, struct cooc_err *err)
{
    size_t have = c->window.len - c->at, more;
    int rc;

    if (have >= need)
        return 0;
    if (need - have > c->left) /* before there is room for what is not there */
        return err_set(err, COOC_EIO, "%s: a temporary file is cut short",
                       c->path);
    if (have)
        memmove(c->window.data, c->window.data + c->at, have);
    c->at = 0;
    c->window.len = have;
    if (need > c->window.cap) {
        rc = buf_reserve(&c->window, need - have, err);
        if (rc < 0)
            return rc;
    }
    more = c->window.cap - have;
    if (more > c->left)
        more = (size_t)c->left;
    rc = file_pread(c->run->fd, c->window.data + have, more,
                    c->run->off + c->run->len - c->left, c->path, err);
    c->window.len += more;
    c->left -= more;
    return rc;
}

int run_cursor_next(struct run_cursor *c, struct cooc_err *err)
{
    struct head head;
    int rc;

    if (c->next >= c->run->n)
        return 0;
    if (c->run->dict) {
        c->id = c->order[c->next++];
        c->number = c->run->df[c->id];
        c->term = dict_term(c->run->dict, c->id, &c->len);
        return 1;
    }
    rc = fill(c, sizeof head, err);
    if (rc < 0)
        return rc;
    memcpy(&head, c->window.data + c->at, sizeof head);
    rc = fill(c, sizeof head + (size_t)head.len, err);
    if (rc < 0)
        return rc;
    c->id = head.id;
    c->number = head.number;
    c->len = head.len;
    c->term = c->window.data + c->at + sizeof head;
    c->hash = mix(c->hash, c->window.data + c->at, sizeof head + c->len);
    c->at += sizeof head + c->len;
    c->next++;
    if (c->id >= c->run->n_ids ||
        (c->next == c->run->n && c->hash != c->run->hash))
        return err_set(err, COOC_EIO, "%s: a temporary file is damaged: check "
                       "the disk", c->path);
    return 1;
}

void run_cursor_release(struct run_cursor *c)
{
    mem_free(c->order);
    if (c->run && c->run->fd >= 0)
        buf_release(&c->window);
}

/* ---- several runs as one ------------------------------------------------ */

static int compare(const struct run_cursor *a, const struct run_cursor *b)
{
    size_t n = a->len < b->len ? a->len : b->len;
    int c = memcmp(a->term, b->term, n);

    return c ? c : (a->len > b->len) - (a->len < b->len);
}

static void sift(struct run_heap *h, size_t i)
{
    for (;;) {
        size_t least = i;

        for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < h->n; k++)
            if (compare(&h->cursors[h->items[k]],
                        &h->cursors[h->items[least]]) < 0)
                least = k;
        if (least == i)
            return;
        size_t swap = h->items[i];
        h->items[i] = h->items[least];
        h->items[least] = swap;
        i = least;
    }
}

int run_heap_open(struct run_heap *h, const struct run *runs, size_t n,
                  const char *path, uint64_t memory, struct cooc_err *err)
{
    uint64_t window = memory / 4 / (n + 1);
    int rc = 0;

    *h = (struct run_heap){ .n_runs = n };
    h->cursors = mem_zarray(n, sizeof *h->cursors);
    h->items = mem_array(n, sizeof *h->items);
    if (!h->cursors || !h->items)
        return err_nomem(err);
    window = window > WINDOW_MAX   ? WINDOW_MAX
             : window < WINDOW_MIN ? WINDOW_MIN
                                   : window;
    for (size_t i = 0; i < n; i++) {
        rc = run_cursor_init(&h->cursors[i], &runs[i], path, (size_t)window,
                             err);
        if (rc == 0)
            rc = run_cursor_next(&h->cursors[i], err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            h->items[h->n++] = i;
    }
    for (size_t i = h->n; i-- > 0;)
        sift(h, i);
    return 0;
}

int run_heap_next(struct run_heap *h, struct cooc_err *err)
{
    int rc = run_cursor_next(&h->cursors[h->items[0]], err);

    if (rc < 0)
        return rc;
    if (rc == 0)
        h->items[0] = h->items[--h->n];
    sift(h, 0);
    return 0;
}

void run_heap_close(struct run_heap *h)
{
    for (size_t i = 0; h->cursors && i < h->n_runs; i++)
        run_cursor_release(&h->cursors[i]);
    mem_free(h->cursors);
    mem_free(h->items);
    *h = (struct run_heap){ 0 };
}
