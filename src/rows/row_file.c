/* row_file.c - temporary rows and their merge.
 *
 * Each file is read front to back through a window.  The row that comes next
 * is the least among the files' current rows; its tuples are merged pairwise
 * in a small heap of files ordered by (row, term), so a row larger than any
 * window is no problem.
 */
#include "rows/row_file.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "rows/row_sink.h"

#define WRITE_AT ((size_t)1 << 20)

int row_file_create(struct row_file *f, const char *dir, struct cooc_err *err)
{
    *f = (struct row_file){ .fd = -1, .dir = dir };
    return file_temp(&f->fd, dir, err);
}

void row_file_close(struct row_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    buf_release(&f->pending);
    *f = (struct row_file){ .fd = -1 };
}

int row_file_finish(struct row_file *f, struct cooc_err *err)
{
    int rc = file_write(f->fd, f->pending.data, f->pending.len, f->dir, err);

    f->len += f->pending.len;
    buf_release(&f->pending);
    return rc;
}

int row_file_add(struct row_file *f, uint32_t row,
                 const struct cooc_entry *entries, size_t n,
                 struct cooc_err *err)
{
    uint32_t head[2] = { row, (uint32_t)n };
    int rc = buf_add(&f->pending, head, sizeof head, err);

    if (rc == 0)
        rc = buf_add(&f->pending, entries, n * sizeof *entries, err);
    if (rc == 0 && f->pending.len >= WRITE_AT)
        rc = row_file_finish(f, err);
    return rc;
}

/* A file being read: its current row and the current tuple of that row. */
struct cursor {
    const struct row_file *file;
    uint64_t off;      /* read so far */
    uint32_t *window;
    size_t at, have, cap; /* in 32-bit words */
    uint32_t row, left;   /* tuples left in the row, the current included */
    struct cooc_entry now;
};

/* The next two words; 0 at the end of the file. */
static int next_words(struct cursor *c, uint32_t *a, uint32_t *b,
                      struct cooc_err *err)
{
    if (c->at == c->have) {
        uint64_t n = c->file->len - c->off;
        int rc;

        if (!n)
            return 0;
        n = n < c->cap * 4 ? n : c->cap * 4;
        rc = file_pread(c->file->fd, c->window, (size_t)n, c->off,
                        c->file->dir, err);
        if (rc < 0)
            return rc;
        c->off += n;
        c->at = 0;
        c->have = (size_t)n / 4;
    }
    *a = c->window[c->at++];
    *b = c->window[c->at++];
    return 1;
}

/* 1: now stands on a tuple; 0: the file is at its end. */
static int advance(struct cursor *c, struct cooc_err *err)
{
    int rc = 1;

    if (c->left)
        c->left--;
    while (!c->left && rc > 0)
        rc = next_words(c, &c->row, &c->left, err);
    if (rc > 0)
        rc = next_words(c, &c->now.term, &c->now.count, err);
    return rc;
}

static uint64_t place(const struct cursor *c)
{
    return (uint64_t)c->row << 32 | c->now.term;
}

static void sift(struct cursor **heap, size_t n, size_t i)
{
    for (;;) {
        size_t least = i;
        struct cursor *swap;

        for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < n; k++)
            if (place(heap[k]) < place(heap[least]))
                least = k;
        if (least == i)
            return;
        swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

struct merge {
    struct cursor *cursors, **heap;
    size_t n;
    struct cooc_entry *row;
    size_t row_len, row_cap;
};

static int merge_open(struct merge *m, struct row_file *files, size_t n,
                      uint64_t memory, struct cooc_err *err)
{
    size_t cap = (size_t)(memory / 4 / (n + 1));

    cap = cap > WRITE_AT ? WRITE_AT : cap < 1024 ? 1024 : cap & ~(size_t)1;
    *m = (struct merge){ 0 };
    m->cursors = mem_zarray(n, sizeof *m->cursors);
    m->heap = mem_array(n, sizeof *m->heap);
    if (!m->cursors || !m->heap)
        return err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        struct cursor *c = &m->cursors[i];
        int rc;

        *c = (struct cursor){ .file = &files[i], .cap = cap };
        c->window = mem_array(cap, sizeof *c->window);
        if (!c->window)
            return err_nomem(err);
        rc = advance(c, err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            m->heap[m->n++] = c;
    }
    for (size_t i = m->n; i-- > 0;)
        sift(m->heap, m->n, i);
    return 0;
}

static void merge_close(struct merge *m, size_t n)
{
    for (size_t i = 0; m->cursors && i < n; i++)
        mem_free(m->cursors[i].window);
    mem_free(m->cursors);
    mem_free(m->heap);
    mem_free(m->row);
}

/* Take the least tuple of all into the row being made. */
static int take_least(struct merge *m, struct cooc_err *err)
{
    struct cursor *c = m->heap[0];
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
    if (rc < 0)
        return rc;
    if (rc == 0)
        m->heap[0] = m->heap[--m->n];
    sift(m->heap, m->n, 0);
    return 0;
}

int row_files_merge(struct row_file *files, size_t n, uint64_t memory,
                    const struct row_sink *out, struct cooc_err *err)
{
    struct merge m;
    int rc = merge_open(&m, files, n, memory, err);

    while (rc == 0 && m.n) {
        uint32_t row = m.heap[0]->row;

        m.row_len = 0;
        while (rc == 0 && m.n && m.heap[0]->row == row)
            rc = take_least(&m, err);
        if (rc == 0)
            rc = out->row(out->self, row, m.row, m.row_len, err);
    }
    merge_close(&m, n);
    return rc;
}
