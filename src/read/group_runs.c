/* group_runs.c - sorted runs of named texts, and their merge. */
#include "read/group_runs.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"
#include "base/watch.h"
#include "read/read.h"

/* A run that is being merged. */
struct group_cursor {
    struct spool_reader reader;
    uint8_t *window;
    size_t run; /* earlier runs have earlier rows */
    struct group_head head;
    struct buf name;
};

int group_runs_open(struct group_runs *runs, struct spool_file *file,
                    const struct group_options *o, struct cooc_err *err)
{
    size_t window = (size_t)(o->memory / 16 / GROUP_RUNS_MAX);
    int rc = spool_file_open(file, o->dir, err);

    file->fixed_dir = true;
    file->room = o->memory / 16;
    window = window < SPOOL_PIECE ? window : SPOOL_PIECE;
    *runs = (struct group_runs){
        .file = file,
        .max = o->max,
        .lines = o->lines,
        .marks = o->marks,
        .numbered = o->numbered,
        .watch = o->watch,
        .window = window > SPOOL_BLOCK ? window : SPOOL_BLOCK,
    };
    return rc;
}

int group_too_large(const struct group_runs *runs,
                    const struct group_head *head, struct cooc_err *err)
{
    size_t len = head->name_len, max = runs->max;

    if (runs->numbered)
        return err_path_option(err, COOC_ELIMIT, runs->numbered,
                               document_option(max),
                               "document %llu is larger than %zu MiB; %s",
                               (unsigned long long)head->key, max >> 20,
                               document_advice(max));
    return err_option(err, COOC_ELIMIT, document_option(max),
                      "the rows of document '%.*s' are larger than %zu MiB "
                      "together; %s",
                      (int)(len < 80 ? len : 80), head->name, max >> 20,
                      document_advice(max));
}

/* ---- writing ------------------------------------------------------------ */

int group_head_write(struct spool_writer *w, const struct group_head *head,
                     struct cooc_err *err)
{
    uint8_t bytes[8 + 4 * VARINT_MAX], *p = bytes;
    int rc;

    memcpy(p, &head->key, 8);
    p = put_varint(p + 8, head->first);
    p = put_varint(p, head->name_len);
    p = put_varint(p, head->text_len);
    p = put_varint(p, head->n_ends);
    rc = spool_write(w, bytes, (size_t)(p - bytes), err);
    return rc < 0 ? rc : spool_write(w, head->name, head->name_len, err);
}

static int write_current(struct spool_writer *w, const struct group_merge *m,
                         struct cooc_err *err)
{
    int rc = group_head_write(w, &m->head, err);

    if (rc == 0)
        rc = spool_write(w, m->text.data, m->text.len, err);
    return rc < 0 ? rc : spool_write(w, m->ends.data, m->ends.len, err);
}

static int push(struct group_runs *runs, struct spool *data, unsigned level,
                struct cooc_err *err)
{
    int rc = array_grow(&runs->items, &runs->cap, runs->n + 1,
                        sizeof *runs->items, err);

    if (rc < 0)
        spool_drop(data, runs->file);
    else
        runs->items[runs->n++] = (struct group_run){ *data, level };
    *data = (struct spool){ 0 };
    return rc;
}

/* Replace the last n runs with one. */
static int merge_last(struct group_runs *runs, size_t n, unsigned level,
                      struct cooc_err *err)
{
    struct group_merge m;
    struct spool out = { 0 };
    struct spool_writer w = { .to = &out, .file = runs->file };
    int rc = group_merge_open(&m, runs, runs->n - n, n, err);

    while (rc == 0 && (rc = group_merge_next(&m, err)) > 0)
        rc = write_current(&w, &m, err);
    rc = spool_writer_end(&w, rc, err);
    group_merge_close(&m);
    if (rc < 0)
        return rc;
    while (n--)
        spool_drop(&runs->items[--runs->n].data, runs->file);
    return push(runs, &out, level, err);
}

int group_runs_add(struct group_runs *runs, struct spool *data,
                   struct cooc_err *err)
{
    unsigned level = 0;
    int rc = push(runs, data, level, err);

    while (rc == 0 && runs->n >= GROUP_RUNS_MAX &&
           runs->items[runs->n - GROUP_RUNS_MAX].level == level)
        rc = merge_last(runs, GROUP_RUNS_MAX, ++level, err);
    return rc;
}

int group_runs_reduce(struct group_runs *runs, struct cooc_err *err)
{
    int rc = 0;

    while (rc == 0 && runs->n > GROUP_RUNS_MAX) {
        size_t n = runs->n - GROUP_RUNS_MAX + 1;

        n = n < GROUP_RUNS_MAX ? n : GROUP_RUNS_MAX;
        rc = merge_last(runs, n, runs->items[runs->n - n].level, err);
    }
    return rc;
}

void group_runs_release(struct group_runs *runs)
{
    while (runs->n)
        spool_drop(&runs->items[--runs->n].data, runs->file);
    mem_free(runs->items);
    runs->items = NULL;
    runs->cap = 0;
}

/* ---- merging ------------------------------------------------------------ */

static bool less(const void *x, const void *y)
{
    const struct group_cursor *a = x, *b = y;
    const struct group_head *h = &a->head, *i = &b->head;
    size_t n = h->name_len < i->name_len ? h->name_len : i->name_len;
    int order;

    if (h->key != i->key)
        return h->key < i->key;
    order = n ? memcmp(h->name, i->name, n) : 0;
    if (order != 0)
        return order < 0;
    return h->name_len != i->name_len ? h->name_len < i->name_len
                                      : a->run < b->run;
}

/* Read the head of the next record: 1, or 0 at the end of the run. */
static int read_head(struct group_cursor *c, size_t max, struct cooc_err *err)
{
    struct spool_reader *r = &c->reader;
    uint64_t name_len = 0;
    int rc;

    if (!r->left)
        return 0;
    rc = spool_read(r, &c->head.key, 8, err);
    if (rc == 0)
        rc = spool_varint(r, &c->head.first, err);
    if (rc == 0)
        rc = spool_varint(r, &name_len, err);
    if (rc == 0)
        rc = spool_varint(r, &c->head.text_len, err);
    if (rc == 0)
        rc = spool_varint(r, &c->head.n_ends, err);
    if (rc < 0)
        return rc;
    if (name_len > GROUP_NAME_MAX || name_len > r->left ||
        c->head.text_len > max || c->head.text_len > r->left ||
        c->head.n_ends > r->left / sizeof(struct text_end))
        return spool_damaged(r->file, err);
    c->name.len = 0;
    rc = buf_reserve(&c->name, name_len + 1, err);
    if (rc == 0)
        rc = spool_read(r, c->name.data, name_len, err);
    c->head.name = c->name.data;
    c->head.name_len = c->name.len = name_len;
    return rc < 0 ? rc : 1;
}

int group_merge_open(struct group_merge *m, struct group_runs *runs,
                     size_t from, size_t n, struct cooc_err *err)
{
    *m = (struct group_merge){ .runs = runs, .n = n };
    m->cursors = mem_zarray(n, sizeof *m->cursors);
    m->heap = mem_array(n, sizeof *m->heap);
    if (!m->cursors || !m->heap)
        return err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        struct group_cursor *c = &m->cursors[i];
        int rc;

        c->run = i;
        c->window = mem_array(runs->window, 1);
        if (!c->window)
            return err_nomem(err);
        spool_reader_init(&c->reader, runs->file, &runs->items[from + i].data,
                          c->window, runs->window);
        rc = read_head(c, runs->max, err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            m->heap[m->live++] = c;
    }
    heap_make(m->heap, m->live, less);
    return 0;
}

/* Begin the join of a text with those of the same record. */
static int join(struct group_merge *m, struct cooc_err *err)
{
    struct text_end end = { .paragraph = 1 };
    int rc;

    if (m->runs->lines)
        return 0;
    rc = buf_byte(&m->text, '\n', err);
    end.at = m->text.len & INT64_MAX;
    return rc < 0 || !m->runs->marks ? rc
                                     : buf_add(&m->ends, &end, sizeof end, err);
}

/* Append the text of the smallest record, which is not the first one of the
 * current record unless `begins`. */
static int take_text(struct group_merge *m, bool begins, struct cooc_err *err)
{
    struct group_cursor *c = m->heap[0];
    size_t len = (size_t)c->head.text_len, start;
    size_t n = (size_t)c->head.n_ends * sizeof(struct text_end);
    struct text_end *end;
    int rc = 0;

    if (len + 1 > m->runs->max - m->text.len && !begins)
        return group_too_large(m->runs, &c->head, err);
    if (!begins)
        rc = join(m, err);
    start = m->text.len;
    if (rc == 0)
        rc = buf_reserve(&m->text, len + 1, err);
    if (rc == 0)
        rc = spool_read(&c->reader, m->text.data + start, len, err);
    if (rc == 0)
        rc = buf_reserve(&m->ends, n + 1, err);
    if (rc == 0)
        rc = spool_read(&c->reader, m->ends.data + m->ends.len, n, err);
    if (rc < 0)
        return rc;
    m->text.len += len;
    end = (struct text_end *)(void *)(m->ends.data + m->ends.len);
    for (uint64_t i = 0; i < c->head.n_ends; i++)
        end[i].at = (end[i].at + start) & INT64_MAX;
    m->ends.len += n;
    rc = read_head(c, m->runs->max, err);
    if (rc == 0)
        m->heap[0] = m->heap[--m->live];
    if (rc >= 0)
        heap_sink(m->heap, m->live, 0, less);
    return rc < 0 ? rc : 0;
}

/* Does the smallest record belong to the current one? */
static bool belongs(const struct group_merge *m)
{
    const struct group_head *h;

    if (!m->live)
        return false;
    h = &((const struct group_cursor *)m->heap[0])->head;
    return h->key == m->head.key && h->name_len == m->name.len &&
           (!h->name_len || memcmp(h->name, m->name.data, h->name_len) == 0);
}

int group_merge_next(struct group_merge *m, struct cooc_err *err)
{
    const struct group_cursor *c;
    int rc;

    if (!m->live)
        return 0;
    c = m->heap[0];
    m->text.len = m->ends.len = 0;
    m->head = c->head;
    rc = buf_set(&m->name, c->head.name, c->head.name_len, err);
    if (rc == 0)
        rc = take_text(m, true, err);
    while (rc == 0 && belongs(m))
        rc = take_text(m, false, err);
    m->head.name = m->name.data;
    m->head.text_len = m->text.len;
    m->head.n_ends = m->ends.len / sizeof(struct text_end);
    if (rc == 0 && ++m->asked % GROUP_ASK_AFTER == 0)
        rc = watch_add(m->runs->watch, 0, 0, 0, err);
    return rc < 0 ? rc : 1;
}

void group_merge_close(struct group_merge *m)
{
    for (size_t i = 0; m->cursors && i < m->n; i++) {
        mem_free(m->cursors[i].window);
        buf_release(&m->cursors[i].name);
    }
    mem_free(m->cursors);
    mem_free(m->heap);
    buf_release(&m->name);
    buf_release(&m->text);
    buf_release(&m->ends);
    *m = (struct group_merge){ 0 };
}
