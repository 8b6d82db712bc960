/* similar_pass.c - the vectors of the query terms, and the pass over all rows.
 *
 * The vectors come first.  Those of queries below K are spread over the rows of
 * the contexts, which are only decoded for this; a query from K on has a row of
 * its own.
 *
 * Cost.  Per pair of a row: 1 ns to decode it, 2 ns to weigh it by PPMI or 10
 * to 40 ns by a formula, and, if its weight is not 0, 1 ns for the first query
 * and half a nanosecond for each further one.
 */
#include "query/similar_pass.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"

#define ROWS_AT_ONCE 32u     /* rows per job */
#define COLUMNS_AT_ONCE 256u /* columns per job */
#define BATCH_PAIRS ((uint64_t)1 << 21)
#define BATCH_ROWS 4096u

struct pass_worker {
    struct row_reader reader;
    struct weighed_row row;
};

uint64_t similar_pass_rows(const struct similar_pass *p)
{
    return (uint64_t)p->contexts + (p->n > p->contexts ? p->n : p->contexts);
}

/* The number of entries e[0..n) with a column before `column`. */
static size_t entries_before(const struct entry *e, size_t n, uint32_t column)
{
    size_t low = 0;

    while (low < n) {
        size_t mid = low + (n - low) / 2;

        if (e[mid].term < column)
            low = mid + 1;
        else
            n = mid;
    }
    return low;
}

/* ---- loops over rows ---------------------------------------------------- */

typedef int (*row_fn)(struct similar_pass *p, struct pass_worker *w,
                      uint32_t t, struct cooc_err *err);

struct row_loop {
    struct similar_pass *p;
    row_fn fn;
};

static int do_rows(void *self, unsigned worker, uint64_t job,
                   struct cooc_err *err)
{
    const struct row_loop *l = self;
    struct similar_pass *p = l->p;
    struct pass_worker *w = &p->workers[worker];
    uint32_t first = p->first + (uint32_t)job * ROWS_AT_ONCE;
    uint32_t n = p->last - first;
    uint64_t pairs = 0;
    int rc = 0;

    n = n < ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        w->reader.n = 0;
        rc = l->fn(p, w, first + i, err);
        pairs += w->reader.n;
    }
    return rc < 0 ? rc : watch_add(p->watch, n, 0, pairs, err);
}

static int each_row(struct similar_pass *p, uint32_t first, uint32_t last,
                    row_fn fn, struct cooc_err *err)
{
    struct row_loop l = { .p = p, .fn = fn };

    p->first = first;
    p->last = last;
    if (first >= last)
        return 0;
    return pool_for(((uint64_t)last - first + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE,
                    p->threads, do_rows, &l, err);
}

/* Read the contexts in row t. */
static int read_row(const struct similar_pass *p, struct pass_worker *w,
                    uint32_t t, struct cooc_err *err)
{
    struct row_reader *r = &w->reader;
    int rc = store_row(&p->db->store, t, r, err);

    if (rc == 0 && t > p->contexts)
        r->n = entries_before(r->entries, r->n, p->contexts);
    return rc;
}

/* ---- the vectors of the queries ------------------------------------------ */

/* The contexts before query i, from its own row. */
static void fill_own(struct similar_pass *p, const struct pass_worker *w,
                     uint32_t i)
{
    for (size_t k = 0; k < w->reader.n; k++) {
        struct entry e = w->reader.entries[k];

        p->vectors[(size_t)e.term * p->n_queries + i] =
            weights_of(p->weights, p->queries[i], e.term, e.count);
    }
}

/* The weight of context t in the vectors of the queries before t. */
static int fill_context(struct similar_pass *p, struct pass_worker *w,
                        uint32_t t, struct cooc_err *err)
{
    bool wanted = false;
    int rc;

    for (uint32_t i = 0; i < p->n_queries; i++)
        wanted |= p->queries[i] <= t;
    rc = wanted ? read_row(p, w, t, err) : 0;
    for (uint32_t i = 0; i < p->n_queries && rc == 0 && wanted; i++) {
        uint32_t q = p->queries[i];
        const struct entry *e = w->reader.entries;
        size_t at = entries_before(e, w->reader.n, q);

        if (q == t)
            fill_own(p, w, i);
        else if (at < w->reader.n && e[at].term == q)
            p->vectors[(size_t)t * p->n_queries + i] =
                weights_of(p->weights, q, t, e[at].count);
    }
    return rc;
}

static int fill_far(void *self, unsigned worker, uint64_t job,
                    struct cooc_err *err)
{
    struct similar_pass *p = self;
    struct pass_worker *w = &p->workers[worker];
    int rc = 0;

    if (p->queries[job] < p->contexts)
        return 0;
    rc = read_row(p, w, p->queries[job], err);
    if (rc == 0)
        fill_own(p, w, (uint32_t)job);
    return rc;
}

static int fill_vectors(struct similar_pass *p, struct cooc_err *err)
{
    size_t width = p->n_queries;
    int rc;

    memset(p->vectors, 0, p->contexts * width * sizeof *p->vectors);
    rc = each_row(p, 0, p->contexts, fill_context, err);
    if (rc == 0)
        rc = pool_for(width, p->threads, fill_far, p, err);
    for (uint32_t c = 0; c < p->contexts && rc == 0; c++) {
        p->used[c] = 0;
        for (size_t i = 0; i < width; i++)
            p->used[c] |= p->vectors[c * width + i] != 0;
    }
    return rc;
}

/* ---- sums --------------------------------------------------------------- */

static void add_scaled(double *restrict sum, double weight,
                       const double *restrict vector, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sum[i] += weight * vector[i];
}

/* Add the contexts in the row of candidate t to its sums. */
static void add_own(struct similar_pass *p, uint32_t t,
                    const struct weighed_row *row)
{
    uint32_t width = p->n_queries;
    double *dots = p->dots + (size_t)t * width, dot = 0, squares = 0;

    if (!p->have_norms)
        for (size_t k = 0; k < row->n; k++)
            squares += row->own[k] * row->own[k];
    if (!p->have_norms)
        p->norms[t] = squares;
    if (width == 1) {
        for (size_t k = 0; k < row->n; k++)
            dot += row->own[k] * p->vectors[row->columns[k]];
        *dots = dot;
        return;
    }
    memset(dots, 0, width * sizeof *dots);
    for (size_t k = 0; k < row->n; k++)
        if (p->used[row->columns[k]])
            add_scaled(dots, row->own[k],
                       p->vectors + (size_t)row->columns[k] * width, width);
}

/* Rows from K on: only their own candidate has sums. */
static int add_row(struct similar_pass *p, struct pass_worker *w, uint32_t t,
                   struct cooc_err *err)
{
    int rc = read_row(p, w, t, err);

    if (rc == 0)
        rc = weigh_row(p->weights, t, w->reader.entries, w->reader.n,
                       p->have_norms ? p->used : NULL, &w->row, err);
    if (rc == 0)
        add_own(p, t, &w->row);
    return rc;
}

/* ---- the rows of contexts, in batches ------------------------------------ */

/* Row t of the batch. */
static int weigh_context(struct similar_pass *p, struct pass_worker *w,
                         uint32_t t, struct cooc_err *err)
{
    bool dots_only = p->have_norms && !p->used[t];
    struct weighed_row *row = &p->batch[t - p->first];
    int rc = read_row(p, w, t, err);

    if (rc == 0)
        rc = weigh_row(p->weights, t, w->reader.entries, w->reader.n,
                       dots_only ? p->used : NULL, row, err);
    if (rc == 0 && t < p->n)
        add_own(p, t, row);
    return rc;
}

/* The first cell of a row from this column on. */
static size_t first_from(const struct weighed_row *row, uint32_t column)
{
    size_t low = 0, high = row->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (row->columns[mid] < column)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Add context t to the sums of the candidates [first, last) before it. */
static void add_back(struct similar_pass *p, uint32_t t, uint32_t first,
                     uint32_t last)
{
    const struct weighed_row *row = &p->batch[t - p->first];
    uint32_t width = p->n_queries;
    const double *vector = p->vectors + (size_t)t * width;
    size_t from = first_from(row, first), end = first_from(row, last);

    for (size_t k = from; k < end && !p->have_norms; k++)
        p->norms[row->columns[k]] += row->back[k] * row->back[k];
    if (!p->used[t])
        return;
    if (width == 1)
        for (size_t k = from; k < end; k++)
            p->dots[row->columns[k]] += row->back[k] * *vector;
    else
        for (size_t k = from; k < end; k++)
            add_scaled(p->dots + (size_t)row->columns[k] * width, row->back[k],
                       vector, width);
}

static int add_columns(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    struct similar_pass *p = self;
    uint32_t first = (uint32_t)job * COLUMNS_AT_ONCE;
    uint32_t last = p->n - first < COLUMNS_AT_ONCE ? p->n
                                                   : first + COLUMNS_AT_ONCE;

    (void)worker;
    (void)err;
    for (uint32_t t = p->first; t < p->last; t++)
        if (t > first)
            add_back(p, t, first, last);
    return 0;
}

/* The first row after the batch that begins with `first`. */
static uint32_t batch_end(const struct similar_pass *p, uint32_t first)
{
    const struct collection *c = &p->db->store.docs;
    uint64_t average = c->n_docs ? c->n_postings / c->n_docs + 1 : 0;
    uint64_t most = p->batch_pairs ? p->batch_pairs : BATCH_PAIRS, pairs = 0;
    uint32_t t = first;

    for (; t < p->contexts && t - first < p->batch_cap; t++) {
        uint64_t df = p->weights->off[t + 1] - p->weights->off[t];

        if (t > first && pairs >= most)
            break;
        pairs += df < t && df * average < t ? df * average : t;
    }
    return t;
}

static int add_contexts(struct similar_pass *p, struct cooc_err *err)
{
    uint32_t first = 0, last;
    int rc = 0;

    for (; first < p->contexts && rc == 0; first = last) {
        uint32_t end;

        last = batch_end(p, first);
        rc = each_row(p, first, last, weigh_context, err);
        end = last < p->n ? last : p->n; /* candidates before the last row */
        if (rc == 0)
            rc = pool_for(((uint64_t)end + COLUMNS_AT_ONCE - 1) /
                              COLUMNS_AT_ONCE,
                          p->threads, add_columns, p, err);
    }
    return rc;
}

/* ---- the whole pass ------------------------------------------------------ */

int similar_pass_open(struct similar_pass *p, struct cooc_err *err)
{
    uint32_t written = rows_written(&p->db->store.manifest);
    uint32_t last = p->n > p->contexts ? p->n : p->contexts;
    const uint64_t *off = p->weights->off;
    uint64_t postings = 0;

    p->batch_cap = p->contexts < BATCH_ROWS ? p->contexts : BATCH_ROWS;
    p->workers = mem_zarray(p->threads, sizeof *p->workers);
    p->batch = mem_zarray(p->batch_cap, sizeof *p->batch);
    p->used = mem_zarray(p->contexts, 1);
    p->vectors = mem_array(p->contexts, p->width * sizeof *p->vectors);
    p->dots = mem_array(p->n, p->width * sizeof *p->dots);
    if (!p->workers || !p->batch || !p->used || !p->vectors || !p->dots)
        return err_nomem(err);
    for (unsigned i = 0; i < p->threads; i++)
        p->workers[i].reader.bulk = &p->bulk;
    for (uint32_t t = written; t < last; t++)
        if (off[t + 1] - off[t] > 1)
            postings += off[t + 1] - off[t];
    return store_bulk(&p->db->store, postings, 0, p->threads, p->watch,
                      &p->bulk, err);
}

int similar_pass_run(struct similar_pass *p, const uint32_t *queries,
                     uint32_t n_queries, struct cooc_err *err)
{
    int rc;

    p->queries = queries;
    p->n_queries = n_queries;
    rc = fill_vectors(p, err);
    if (rc == 0)
        rc = add_contexts(p, err);
    if (rc == 0)
        rc = each_row(p, p->contexts, p->n, add_row, err);
    for (uint32_t t = 0; t < p->n && rc == 0 && !p->have_norms; t++)
        p->norms[t] = sqrt(p->norms[t]);
    p->have_norms |= rc == 0;
    return rc;
}

void similar_pass_close(struct similar_pass *p)
{
    for (unsigned i = 0; p->workers && i < p->threads; i++) {
        row_reader_release(&p->workers[i].reader);
        weighed_row_release(&p->workers[i].row);
    }
    for (uint32_t i = 0; p->batch && i < p->batch_cap; i++)
        weighed_row_release(&p->batch[i]);
    mem_free(p->workers);
    mem_free(p->batch);
    mem_free(p->used);
    mem_free(p->vectors);
    mem_free(p->dots);
    bulk_rows_close(&p->bulk);
}
