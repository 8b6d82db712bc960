/* pair_merge.c - rows of pairs in streams, and their merge.
 *
 * Each stream is read front to back through a window that holds a whole
 * piece, so that no pair is used before its checksum is verified.  The tuple
 * that comes next is the least, by row and term, among those of all streams,
 * which are in a heap; so a row larger than any window is no problem.
 */
#include "count/pair_merge.h"

#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"
#include "count/pair_table.h"
#include "rows/row_sink.h"

static int write_head(struct spool_writer *w, uint32_t row, size_t n,
                      struct cooc_err *err)
{
    const uint32_t head[2] = { row, (uint32_t)n };

    return spool_write(w, head, sizeof head, err);
}

int pairs_write_row(struct spool_writer *w, uint32_t row,
                    const struct entry *entries, size_t n,
                    struct cooc_err *err)
{
    int rc = write_head(w, row, n, err);

    return rc < 0 ? rc : spool_write(w, entries, n * sizeof *entries, err);
}

int pairs_write_records(struct spool_writer *w, const struct pair_record *r,
                        size_t n, size_t *len, struct cooc_err *err)
{
    int rc;

    for (*len = 1; *len < n && r[*len].row == r[0].row;)
        ++*len;
    rc = write_head(w, r[0].row, *len, err);
    for (size_t i = 0; i < *len && rc == 0; i++)
        rc = spool_write(w, &r[i].entry, sizeof r[i].entry, err);
    return rc;
}

/* A stream being read: its current row and the current tuple of that row. */
struct pair_cursor {
    struct spool_reader in;
    uint32_t row, left; /* tuples left in the row, the current included */
    struct entry now;
};

/* 1: now is the next tuple; 0: no more; < 0: failed. */
static int advance(struct pair_cursor *c, struct cooc_err *err)
{
    uint32_t head[2];
    int rc;

    if (c->left)
        c->left--;
    while (!c->left) {
        if (!c->in.left)
            return 0;
        rc = spool_read(&c->in, head, sizeof head, err);
        if (rc < 0)
            return rc;
        c->row = head[0];
        c->left = head[1];
    }
    rc = spool_read(&c->in, &c->now, sizeof c->now, err);
    return rc < 0 ? rc : 1;
}

static uint64_t place(const struct pair_cursor *c)
{
    return (uint64_t)c->row << 32 | c->now.term;
}

static bool less(const void *a, const void *b)
{
    return place(a) < place(b);
}

struct pair_merge {
    struct pair_cursor *cursors;
    uint8_t *windows;
    void **heap; /* cursors that have a tuple left; the first has the least */
    size_t n;    /* of heap */
    struct entry *row; /* being made */
    size_t row_len, row_cap;
};

static int merge_open(struct pair_merge *m, const struct spool_file *file,
                      const struct spool *streams, size_t n,
                      struct cooc_err *err)
{
    int rc = 0;

    *m = (struct pair_merge){ .cursors = mem_zarray(n, sizeof *m->cursors),
                              .windows = mem_array(n, SPOOL_PIECE),
                              .heap = mem_array(n, sizeof *m->heap) };
    if (!m->cursors || !m->windows || !m->heap)
        return err_nomem(err);
    for (size_t i = 0; i < n && rc >= 0; i++) {
        spool_reader_init(&m->cursors[i].in, file, &streams[i],
                          m->windows + i * SPOOL_PIECE, SPOOL_PIECE);
        rc = advance(&m->cursors[i], err);
        if (rc > 0)
            m->heap[m->n++] = &m->cursors[i];
    }
    heap_make(m->heap, m->n, less);
    return rc < 0 ? rc : 0;
}

static uint32_t least_row(const struct pair_merge *m)
{
    return ((const struct pair_cursor *)m->heap[0])->row;
}

/* Take the least tuple of all into the row being made. */
static int take_least(struct pair_merge *m, struct cooc_err *err)
{
    struct pair_cursor *c = m->heap[0];
    int rc;

    if (m->row_len && m->row[m->row_len - 1].term == c->now.term) {
        m->row[m->row_len - 1].count += c->now.count;
    } else {
        rc = array_grow(&m->row, &m->row_cap, m->row_len + 1, sizeof *m->row,
                        err);
        if (rc < 0)
            return rc;
        m->row[m->row_len++] = c->now;
    }
    rc = advance(c, err);
    if (rc == 0)
        m->heap[0] = m->heap[--m->n];
    heap_sink(m->heap, m->n, 0, less);
    return rc < 0 ? rc : 0;
}

int pairs_merge(const struct spool_file *file, const struct spool *streams,
                size_t n, const struct row_sink *out, struct cooc_err *err)
{
    struct pair_merge m;
    int rc = merge_open(&m, file, streams, n, err);

    while (rc == 0 && m.n) {
        uint32_t row = least_row(&m);

        m.row_len = 0;
        while (rc == 0 && m.n && least_row(&m) == row)
            rc = take_least(&m, err);
        if (rc == 0)
            rc = out->row(out->self, row, m.row, m.row_len, err);
    }
    mem_free(m.cursors);
    mem_free(m.windows);
    mem_free(m.heap);
    mem_free(m.row);
    return rc;
}
