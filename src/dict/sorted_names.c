/* sorted_names.c - write, read and merge sorted dictionaries. */
#include "dict/sorted_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"
#include "dict/name_sort.h"

#define AHEAD 16u /* terms; what is prefetched arrives in time */
#define PREFETCH 256u /* bytes */
#define WINDOW_MAX ((uint64_t)1 << 20)
#define RANGE_MARKS 16u /* least number of marks per range: 1 MiB */
#define DICT_MARKS 2u   /* and per dictionary, because a merge reads half a
                         * piece of each to find the beginning of its range */

struct name_head { /* precedes each name in the spool */
    uint32_t id, len;
    uint64_t number;
};

void sorted_names_release(struct sorted_names *s, struct spool_file *file)
{
    spool_drop(&s->records, file);
    for (size_t i = 0; i < s->n_marks; i++)
        mem_free(s->marks[i].name);
    mem_free(s->marks);
    s->marks = NULL;
    s->n_marks = s->marks_cap = 0;
}

/* ---- writing ------------------------------------------------------------ */

/* Remember the record that begins at off. */
static int add_mark(struct sorted_names *s, uint64_t off,
                    const struct name_record *r, struct cooc_err *err)
{
    struct name_mark mark = { .off = off, .len = r->len };
    int rc = array_grow(&s->marks, &s->marks_cap, s->n_marks + 1,
                        sizeof *s->marks, err);

    if (rc < 0)
        return rc;
    mark.name = mem_dup(r->name, r->len);
    if (!mark.name)
        return err_nomem(err);
    s->marks[s->n_marks++] = mark;
    return 0;
}

int names_write(struct names_writer *w, const struct name_record *r,
                struct cooc_err *err)
{
    struct name_head head = { .id = r->id, .len = (uint32_t)r->len,
                              .number = r->number };
    struct sorted_names *s = w->to;
    uint64_t off = s->records.len + w->out.pending.len;
    int rc = 0;

    if (!s->n_marks ||
        off / SPOOL_PIECE > s->marks[s->n_marks - 1].off / SPOOL_PIECE)
        rc = add_mark(s, off, r, err);
    if (rc == 0)
        rc = spool_write(&w->out, &head, sizeof head, err);
    return rc < 0 ? rc : spool_write(&w->out, r->name, r->len, err);
}

int names_writer_end(struct names_writer *w, int rc, struct cooc_err *err)
{
    rc = spool_writer_end(&w->out, rc, err);
    if (rc < 0)
        sorted_names_release(w->to, w->out.file);
    return rc;
}

int names_write_dict(struct sorted_names *s, struct spool_file *file,
                     const struct dict *d, name_fill_fn fill, void *self,
                     struct cooc_err *err)
{
    struct names_writer w = NAMES_WRITER(s, file);
    uint32_t *order = NULL;
    int rc = name_sort(d, &order, err);

    for (uint32_t i = 0; i < dict_size(d) && rc == 0; i++) {
        struct name_record r = { .id = order[i] };

        if (i + 2 * AHEAD < dict_size(d))
            dict_prefetch(d, order[i + 2 * AHEAD], order[i + AHEAD]);
        r.name = dict_term(d, r.id, &r.len);
        rc = fill(self, &r, err);
        if (rc > 0)
            rc = names_write(&w, &r, err);
    }
    mem_free(order);
    return names_writer_end(&w, rc, err);
}

/* ---- reading ------------------------------------------------------------ */

int names_cursor_init(struct names_cursor *c, const struct sorted_names *names,
                      const struct spool_file *file, uint64_t window,
                      struct cooc_err *err)
{
    uint64_t len = names->records.len;
    size_t cap = (size_t)(len < window ? len : window) / SPOOL_BLOCK + 1;

    cap *= SPOOL_BLOCK;
    *c = (struct names_cursor){ .names = names, .window = mem_array(cap, 1) };
    if (!c->window)
        return err_nomem(err);
    spool_reader_init(&c->in, file, &names->records, c->window, cap);
    return buf_reserve(&c->name, 1, err); /* never NULL, even if empty */
}

int names_cursor_next(struct names_cursor *c, struct cooc_err *err)
{
    struct name_head head;
    const void *name;
    int rc;

    if (!c->in.left)
        return 0;
    /* A merge reads many streams, more than the CPU prefetches by itself. */
    __builtin_prefetch(c->in.next + PREFETCH);
    rc = spool_read(&c->in, &head, sizeof head, err);
    if (rc < 0)
        return rc;
    if (head.id >= c->names->n_ids || head.len > c->in.left)
        return spool_damaged(c->in.file, err);
    name = spool_peek(&c->in, head.len);
    if (!name) { /* not contiguous */
        c->name.len = 0;
        rc = buf_reserve(&c->name, head.len, err);
        if (rc == 0)
            rc = spool_read(&c->in, c->name.data, head.len, err);
        name = c->name.data;
    }
    c->now = (struct name_record){ .id = head.id, .number = head.number,
                                   .name = name, .len = head.len };
    c->key = rc < 0 ? 0 : name_key(name, head.len);
    return rc < 0 ? rc : 1;
}

static bool is_before(const struct name_record *r, const struct name_mark *m)
{
    return bytes_compare(r->name, r->len, m->name, m->len) < 0;
}

/* Read the first record that is not before `from`, or the first if that is
 * NULL.  Returns like names_cursor_next(). */
static int seek(struct names_cursor *c, const struct name_mark *from,
                struct cooc_err *err)
{
    const struct sorted_names *s = c->names;
    size_t lo = 0, hi = from ? s->n_marks : 0;
    int rc = 0;

    while (lo < hi) { /* find the first mark that is not before it */
        size_t mid = lo + (hi - lo) / 2;
        const struct name_mark *m = &s->marks[mid];

        if (bytes_compare(m->name, m->len, from->name, from->len) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo > 0)
        rc = spool_reader_seek(&c->in, s->marks[lo - 1].off, err);
    if (rc == 0)
        rc = names_cursor_next(c, err);
    while (rc > 0 && from && is_before(&c->now, from))
        rc = names_cursor_next(c, err);
    return rc;
}

void names_cursor_release(struct names_cursor *c)
{
    mem_free(c->window);
    buf_release(&c->name);
}

/* ---- ranges ------------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
    const struct name_mark *a = *(const struct name_mark *const *)x;
    const struct name_mark *b = *(const struct name_mark *const *)y;

    return bytes_compare(a->name, a->len, b->name, b->len);
}

int names_split(struct names_range **ranges, size_t *n_ranges,
                const struct sorted_names *names, size_t n,
                struct cooc_err *err)
{
    const struct name_mark **marks;
    size_t n_marks = 0, step = n * DICT_MARKS, count;

    for (size_t i = 0; i < n; i++)
        n_marks += names[i].n_marks;
    step = step > RANGE_MARKS ? step : RANGE_MARKS;
    count = n_marks / step + (n_marks < step);
    marks = mem_array(n_marks, sizeof *marks);
    *ranges = mem_zarray(count, sizeof **ranges);
    *n_ranges = *ranges ? count : 0;
    if (!marks || !*ranges) {
        mem_free(marks);
        return err_nomem(err);
    }
    n_marks = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < names[i].n_marks; k++)
            marks[n_marks++] = &names[i].marks[k];
    qsort(marks, n_marks, sizeof *marks, by_name);
    for (size_t i = 1; i < count; i++)
        (*ranges)[i - 1].to = (*ranges)[i].from = marks[i * n_marks / count];
    mem_free(marks);
    return 0;
}

/* ---- merging ------------------------------------------------------------ */

static bool less(const void *a, const void *b)
{
    const struct names_cursor *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key;
    if (x->now.len <= sizeof x->key || y->now.len <= sizeof y->key)
        return x->now.len < y->now.len; /* one is the beginning of the other */
    return bytes_compare(x->now.name, x->now.len, y->now.name, y->now.len) < 0;
}

/* End the merge if the least name is not in the range. */
static void end_range(struct names_merge *m)
{
    const struct names_cursor *c = m->n ? m->heap[0] : NULL;

    if (c && m->to && c->key >= m->to_key && !is_before(&c->now, m->to))
        m->n = 0;
}

int names_merge_open(struct names_merge *m, const struct sorted_names *names,
                     size_t n, const struct spool_file *file,
                     struct names_range range, uint64_t memory,
                     struct cooc_err *err)
{
    uint64_t window = memory / 4 / (n + 1);
    int rc = 0;

    *m = (struct names_merge){ .n_cursors = n, .to = range.to,
                               .is_new = true };
    m->to_key = m->to ? name_key(m->to->name, m->to->len) : 0;
    m->cursors = mem_zarray(n, sizeof *m->cursors);
    m->heap = mem_array(n, sizeof *m->heap);
    if (!m->cursors || !m->heap)
        return err_nomem(err);
    window = window < WINDOW_MAX ? window : WINDOW_MAX;
    for (size_t i = 0; i < n && rc >= 0; i++) {
        rc = names_cursor_init(&m->cursors[i], &names[i], file, window, err);
        if (rc == 0)
            rc = seek(&m->cursors[i], range.from, err);
        if (rc > 0)
            m->heap[m->n++] = &m->cursors[i];
    }
    heap_make(m->heap, m->n, less);
    end_range(m);
    return rc < 0 ? rc : buf_reserve(&m->last, 1, err);
}

int names_merge_next(struct names_merge *m, struct cooc_err *err)
{
    struct names_cursor *c = m->heap[0];
    int rc = 0;

    if (m->is_new) { /* keep the name, which the next record replaces */
        m->last.len = 0;
        m->last_key = c->key;
        rc = buf_add(&m->last, c->now.name, c->now.len, err);
    }
    if (rc == 0)
        rc = names_cursor_next(c, err);
    if (rc < 0)
        return rc;
    if (rc == 0)
        m->heap[0] = m->heap[--m->n];
    heap_sink(m->heap, m->n, 0, less);
    end_range(m);
    if (m->n) {
        const struct name_record *r = &names_merge_least(m)->now;

        m->is_new = names_merge_least(m)->key != m->last_key ||
                    r->len != m->last.len ||
                    (r->len > sizeof m->last_key &&
                     memcmp(r->name, m->last.data, r->len) != 0);
    }
    return 0;
}

void names_merge_close(struct names_merge *m)
{
    for (size_t i = 0; m->cursors && i < m->n_cursors; i++)
        names_cursor_release(&m->cursors[i]);
    mem_free(m->cursors);
    mem_free(m->heap);
    buf_release(&m->last);
}
