/* list_blocks.c - count a block of terms against another block of terms.
 *
 * The idea.  Divide the vocabulary into blocks of k terms (default: sqrt(V)).
 * A block contains the documents that have any of its terms, each reduced to
 * these terms, which is a slice of the document.  Each "outer" block is joined
 * with every "inner" block before it, and finally with itself:
 *
 *     for each outer block
 *         for each inner block up to the outer block
 *             for each document in both
 *                 for each t of it in outer, s < t of it in inner
 *                     counts[t][s] += 1
 *         emit the rows of the outer block
 *
 * Example.  k = 2   d0 = {0,1,3}   d1 = {0,2,3}   d2 = {1,2}
 *     block 0:  d0{0,1}  d1{0}    d2{1}
 *     block 1:  d0{3}    d1{2,3}  d2{2}
 *     outer 0, inner 0:  row 1: 0->1
 *     outer 1, inner 0:  row 2: 0->1 1->1   row 3: 0->2 1->1
 *     outer 1, inner 1:                     row 3: 2->1
 *
 * Only k * k counters are in use at a time.  They are collected, in order,
 * after each inner block.
 *
 * Cost.  One increment per pair per document, and at most b(b+1)/2 joins of
 * document lists for b = V/k blocks.  Memory: 12 bytes per slice, shared by all
 * workers; k * k counters and the rows of one outer block per worker.
 *
 * Threads.  Outer blocks are independent.
 *
 * When.  Never the fastest in our measurements (docs/METHODS.md).  The method
 * was designed to keep its counters in the cache, but with the default k it has
 * as many counters as list-scan, and ten times the misses in the second-level
 * cache (docs/RESULTS.md).  Its joins cost more if there are many rare terms.
 *
 * After "list-blocks" in Billerbeck et al., arXiv 2007.08709 (2020).
 */
#include <math.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "count/method.h"
#include "index/intersect.h"
#include "rows/accum.h"

#define PAIR_BYTES 30           /* per found pair, with room to grow */
#define K_BYTES(k) ((k) * (k) * 13) /* counters and their entries */

struct slice {
    uint32_t start, len; /* terms [start, start + len) of the document */
};

struct blocks {
    uint32_t k, n;
    uint64_t *off; /* block i has slices [off[i], off[i + 1]) */
    uint32_t *docs; /* document of each slice */
    struct slice *slices;
};

static void blocks_free(void *shared)
{
    struct blocks *b = shared;

    if (!b)
        return;
    mem_free(b->off);
    mem_free(b->docs);
    mem_free(b->slices);
    mem_free(b);
}

/* Walk through the slices of all documents and store them; at[i] is the
 * position of the next slice of block i.  If b->slices is NULL, only
 * count them in at[]. */
static void cut_documents(const struct lists *fwd, const struct blocks *b,
                          uint64_t *at)
{
    for (uint32_t d = 0; d < fwd->n; d++) {
        const uint32_t *terms = fwd->ids + fwd->off[d];
        uint32_t len = (uint32_t)(fwd->off[d + 1] - fwd->off[d]);

        for (uint32_t i = 0, start; i < len;) {
            uint32_t block = terms[i] / b->k;

            for (start = i++; i < len && terms[i] / b->k == block;)
                i++;
            if (b->slices) {
                b->docs[at[block]] = d;
                b->slices[at[block]] = (struct slice){ start, i - start };
            }
            at[block]++;
        }
    }
}

static struct count_need need(const struct count_size *size)
{
    return (struct count_need){
        .shared = size->postings * (4 + sizeof(struct slice)) +
                  (uint64_t)size->terms * 16,
        .worker = (uint64_t)size->longest_row * PAIR_BYTES + K_BYTES(64)
    };
}

/* The requested block size, or sqrt(V), but at most the number of terms and at
 * most what fits in memory. */
static uint32_t choose_k(const struct count_job *job)
{
    double fit = sqrt((double)job->params.memory / 2 / K_BYTES(1));
    uint32_t k = job->params.block_terms ? job->params.block_terms
                                         : (uint32_t)sqrt(job->inv.n);

    k = k > job->inv.n ? job->inv.n : k;
    k = fit < k ? (uint32_t)fit : k;
    return k < 1 ? 1 : k;
}

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    struct blocks *b = mem_zarray(1, sizeof *b);
    uint64_t *at = NULL, total = 0;

    *shared = NULL;
    if (!b)
        return err_nomem(err);
    b->k = choose_k(job);
    b->n = job->inv.n / b->k + (job->inv.n % b->k != 0);
    b->off = mem_zarray((size_t)b->n + 1, sizeof *b->off);
    at = mem_zarray(b->n, sizeof *at);
    if (!b->off || !at)
        goto nomem;
    cut_documents(&job->fwd, b, at);
    for (uint32_t i = 0; i < b->n; i++) {
        total += at[i];
        b->off[i + 1] = total;
        at[i] = b->off[i];
    }
    b->docs = mem_array(total, sizeof *b->docs);
    b->slices = mem_array(total, sizeof *b->slices);
    if (!b->docs || !b->slices)
        goto nomem;
    cut_documents(&job->fwd, b, at);
    mem_free(at);
    *shared = b;
    return 0;
nomem:
    mem_free(at);
    blocks_free(b);
    return err_nomem(err);
}

/* A counted pair of the outer block. */
struct found_pair {
    uint32_t row, term, count; /* row: relative to outer_block.lo */
};

struct outer_block {
    const struct count_job *job;
    const struct blocks *b;
    uint32_t lo, hi;      /* rows [lo, hi) of this block to count */
    struct accum counts;  /* k * k counters */
    struct found_pair *found;
    size_t n_found, found_cap;
    struct entry *rows; /* the found pairs, sorted by row */
    size_t rows_cap;
    size_t *row_ends; /* k + 1 */
    uint64_t work;    /* for job_go_on() */
};

static int outer_init(struct outer_block *o, const struct count_job *job,
                      struct cooc_err *err)
{
    const struct blocks *b = job->shared;
    size_t k = b->k;

    *o = (struct outer_block){ .job = job, .b = b };
    if (k > UINT16_MAX) /* indices of k * k counters have 32 bits */
        return err_option(err, COOC_EINVAL, "block_terms",
                          "a block can have at most %u terms", UINT16_MAX);
    o->row_ends = mem_array(k + 1, sizeof *o->row_ends);
    return o->row_ends ? accum_init(&o->counts, (uint32_t)(k * k), err)
                       : err_nomem(err);
}

static void outer_release(struct outer_block *o)
{
    accum_release(&o->counts);
    mem_free(o->found);
    mem_free(o->rows);
    mem_free(o->row_ends);
}

/* Count all pairs of document d: t in the outer slice, s < t in
 * the inner slice. */
static void count_match(struct outer_block *o, uint32_t d,
                        const struct slice *outer, const struct slice *inner,
                        uint32_t inner_lo)
{
    const uint32_t *doc = o->job->fwd.ids + o->job->fwd.off[d];

    for (uint32_t i = 0; i < outer->len; i++) {
        uint32_t t = doc[outer->start + i];

        if (t >= o->lo && t < o->hi)
            accum_count(&o->counts, (t - o->lo) * o->b->k - inner_lo,
                        doc + inner->start, inner == outer ? i : inner->len);
    }
}

static int join(struct outer_block *o, uint32_t outer, uint32_t inner,
                struct cooc_err *err)
{
    const struct blocks *b = o->b;
    const uint32_t *x = b->docs + b->off[outer];
    const uint32_t *x_end = b->docs + b->off[outer + 1];
    const uint32_t *y = b->docs + b->off[inner];
    const uint32_t *y_end = b->docs + b->off[inner + 1];
    int rc = 0;

    while (x < x_end && y < y_end && rc == 0) {
        rc = job_go_on(o->job, &o->work, 64, err);
        if (*x == *y) {
            count_match(o, *x, b->slices + (x - b->docs),
                        b->slices + (y - b->docs), inner * b->k);
            x++;
            y++;
        } else if (*x < *y) {
            x = list_seek(x + 1, x_end, *y);
        } else {
            y = list_seek(y + 1, y_end, *x);
        }
    }
    return rc;
}

/* Append the counts of one inner block to found, in order, and reset them. */
static int take_counts(struct outer_block *o, uint32_t inner_lo,
                       struct cooc_err *err)
{
    uint32_t k = o->b->k;
    size_t n = 0;
    int rc = accum_take(&o->counts, k * k, &n, err);

    if (rc == 0)
        rc = array_grow(&o->found, &o->found_cap, o->n_found + n,
                        sizeof *o->found, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct entry e = o->counts.entries[i];

        o->found[o->n_found++] = (struct found_pair){
            .row = e.term / k, .term = inner_lo + e.term % k, .count = e.count
        };
    }
    return rc;
}

/* Emit the rows.  Inner blocks were counted in order, so a stable partition by
 * row leaves each row sorted. */
static int emit_rows(struct outer_block *o, const struct row_sink *out,
                     struct cooc_err *err)
{
    uint32_t rows = o->hi - o->lo;
    size_t at = 0;
    int rc = array_grow(&o->rows, &o->rows_cap, o->n_found + 1,
                        sizeof *o->rows, err); /* + 1: never NULL */

    if (rc < 0)
        return rc;
    memset(o->row_ends, 0, ((size_t)rows + 1) * sizeof *o->row_ends);
    for (size_t i = 0; i < o->n_found; i++)
        o->row_ends[o->found[i].row + 1]++;
    for (uint32_t r = 0; r < rows; r++)
        o->row_ends[r + 1] += o->row_ends[r];
    for (size_t i = 0; i < o->n_found; i++)
        o->rows[o->row_ends[o->found[i].row]++] =
            (struct entry){ .term = o->found[i].term,
                                 .count = o->found[i].count };
    o->n_found = 0;
    for (uint32_t r = 0; r < rows && rc == 0; r++) {
        rc = out->row(out->self, o->lo + r, o->rows + at,
                      o->row_ends[r] - at, err);
        at = o->row_ends[r];
    }
    return rc;
}

/* Count the rows [o->lo, o->hi) of a block.  Returns 1, with no pairs found, if
 * the pairs do not fit in memory and there is more than one row. */
static int count_rows(struct outer_block *o, uint32_t block,
                      struct cooc_err *err)
{
    size_t room = (size_t)(o->job->params.memory / 2 / PAIR_BYTES);
    int rc = 0;

    for (uint32_t inner = 0; inner <= block && rc == 0; inner++) {
        rc = join(o, block, inner, err);
        if (rc == 0)
            rc = take_counts(o, inner * o->b->k, err);
        if (rc == 0 && o->n_found > room && o->hi - o->lo > 1) {
            o->n_found = 0;
            rc = 1;
        }
    }
    return rc;
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    struct outer_block o;
    int rc = outer_init(&o, job, err);
    uint32_t rows = rc < 0 ? 0 : o.b->k; /* rows counted at a time */

    for (uint32_t t = job->first; t < job->last && rc == 0;) {
        uint32_t block = t / o.b->k;
        uint64_t end = ((uint64_t)block + 1) * o.b->k;

        end = end < job->last ? end : job->last;
        o.lo = t;
        o.hi = end - t > rows ? t + rows : (uint32_t)end;
        rc = count_rows(&o, block, err);
        if (rc > 0) {
            rows = (o.hi - o.lo + 1) / 2;
            rc = 0;
            continue;
        }
        if (rc == 0)
            rc = emit_rows(&o, out, err);
        t = o.hi;
    }
    outer_release(&o);
    return rc;
}

const struct count_method count_list_blocks = {
    .about = { "list-blocks",
               "count one block of terms against another at a time" },
    .by_rows = true,
    .need = need,
    .prepare = prepare,
    .release = blocks_free,
    .run = run,
};
