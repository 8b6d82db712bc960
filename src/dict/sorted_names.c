/* sorted_names.c - write, read and merge sorted dictionaries. */
#include "dict/sorted_names.h"

#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"

#define WINDOW_MAX ((uint64_t)1 << 20)

struct name_head { /* precedes each name in the spool */
    uint32_t id, len;
    uint64_t number;
};

int names_write(struct spool_writer *w, const struct name_record *r,
                struct cooc_err *err)
{
    struct name_head head = { .id = r->id, .len = (uint32_t)r->len,
                              .number = r->number };
    int rc = spool_write(w, &head, sizeof head, err);

    return rc < 0 ? rc : spool_write(w, r->name, r->len, err);
}

int names_write_dict(struct sorted_names *s, struct spool_file *file,
                     const struct dict *d, name_fill_fn fill, void *self,
                     struct cooc_err *err)
{
    struct spool_writer w = { .to = &s->records, .file = file };
    uint32_t *order = NULL;
    int rc = dict_sorted(d, &order, err);

    for (uint32_t i = 0; i < dict_size(d) && rc == 0; i++) {
        struct name_record r = { .id = order[i] };

        r.name = dict_term(d, r.id, &r.len);
        rc = fill(self, &r, err);
        if (rc > 0)
            rc = names_write(&w, &r, err);
    }
    mem_free(order);
    return spool_writer_end(&w, rc, err);
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
    int rc;

    if (!c->in.left)
        return 0;
    rc = spool_read(&c->in, &head, sizeof head, err);
    if (rc < 0)
        return rc;
    if (head.id >= c->names->n_ids || head.len > c->in.left)
        return spool_damaged(c->in.file, err);
    c->name.len = 0;
    rc = buf_reserve(&c->name, head.len, err);
    if (rc == 0)
        rc = spool_read(&c->in, c->name.data, head.len, err);
    c->name.len = head.len;
    c->now = (struct name_record){ .id = head.id, .number = head.number,
                                   .name = c->name.data, .len = head.len };
    return rc < 0 ? rc : 1;
}

void names_cursor_release(struct names_cursor *c)
{
    mem_free(c->window);
    buf_release(&c->name);
}

/* ---- merging ------------------------------------------------------------ */

static bool less(const void *a, const void *b)
{
    const struct names_cursor *x = a, *y = b;

    return bytes_compare(x->now.name, x->now.len, y->now.name, y->now.len) < 0;
}

int names_merge_open(struct names_merge *m, const struct sorted_names *names,
                     size_t n, const struct spool_file *file, uint64_t memory,
                     struct cooc_err *err)
{
    uint64_t window = memory / 4 / (n + 1);
    int rc = 0;

    *m = (struct names_merge){ .n_cursors = n, .is_new = true };
    m->cursors = mem_zarray(n, sizeof *m->cursors);
    m->heap = mem_array(n, sizeof *m->heap);
    if (!m->cursors || !m->heap)
        return err_nomem(err);
    window = window < WINDOW_MAX ? window : WINDOW_MAX;
    for (size_t i = 0; i < n && rc >= 0; i++) {
        rc = names_cursor_init(&m->cursors[i], &names[i], file, window, err);
        if (rc == 0)
            rc = names_cursor_next(&m->cursors[i], err);
        if (rc > 0)
            m->heap[m->n++] = &m->cursors[i];
    }
    heap_make(m->heap, m->n, less);
    return rc < 0 ? rc : buf_reserve(&m->last, 1, err);
}

int names_merge_next(struct names_merge *m, struct cooc_err *err)
{
    struct names_cursor *c = m->heap[0];
    struct buf used = c->name;
    int rc;

    c->name = m->last;
    m->last = used;
    rc = names_cursor_next(c, err);
    if (rc < 0)
        return rc;
    if (rc == 0)
        m->heap[0] = m->heap[--m->n];
    heap_sink(m->heap, m->n, 0, less);
    if (m->n) {
        c = m->heap[0];
        m->is_new = c->name.len != m->last.len ||
                    memcmp(c->name.data, m->last.data, m->last.len) != 0;
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
