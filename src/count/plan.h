/* plan.h - the cost of each row, and the division of rows into shards.
 *
 * The cost of row t is the number of increments that it takes: the sum, over
 * the documents of t, of the position of t in the document.  It is also exactly
 * the sum of the counts in the row, which serves to check every method.
 *
 * Shards are divided by cost and depend on the collection only, so that the
 * files are the same for every method, number of threads and amount of memory.
 *
 * Rows of the rarest terms need not be written: a reader recomputes them
 * quickly from the few documents of the term (rows/row_recompute.h).  Ids are
 * frequency ranks, so these are the last rows.  The row of a term with a single
 * document is a prefix of the document and is always omitted;
 * count_plan_leave_out() decides which other rows are.
 */
#ifndef COOC_PLAN_H
#define COOC_PLAN_H

#include <stdint.h>

#include "cooc_build.h"
#include "index/collection.h"

struct count_plan {
    uint64_t *cost;    /* number of increments, by row */
    size_t mapped;     /* bytes of cost if it is a mapped file, or 0 */
    uint64_t total;    /* sum of the costs of all rows */
    uint32_t omitted_df; /* omitted rows have at most this df */
    uint32_t made;        /* rows [0, made) are written */
    uint32_t *cuts;    /* shard i has rows [cuts[i], cuts[i + 1]) */
    uint32_t n_shards; /* at least 1 if made > 0 */
    /* The omitted rows are divided into shares: share i has the rows
     * [share_cuts[i], share_cuts[i + 1]).  Several processes can count the
     * pairs of different shares. */
    uint32_t *share_cuts;
    uint32_t n_shares; /* at least 1 if rows are omitted */
    uint32_t longest_row; /* upper bound for the entries of a row */
    uint32_t longest_doc; /* terms in the longest document */
};

/* The largest df of omitted rows, so that their counts fit in a byte. */
#define OMITTED_DF_MAX ((uint32_t)COOC_COMPACT_DF_MAX)

/* Plan to write every row. */
int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err);
/* What planning may use. */
struct plan_room {
    uint64_t memory;  /* bytes of costs in memory */
    unsigned threads; /* fewer are used if memory is short */
    const char *dir;  /* for a temporary file */
};
/* The same within these limits.  If the costs exceed the memory, they are
 * stored in a nameless file, and computing them takes several passes over the
 * documents. */
int count_plan_within(struct count_plan *p, const struct lists *fwd,
                      uint32_t n_terms, const struct plan_room *room,
                      struct cooc_err *err);
/* Compute the costs only, without shards. */
int count_plan_costs(struct count_plan *p, const struct lists *fwd,
                     uint32_t n_terms, struct cooc_err *err);
/* Omit the rows of terms with at most df documents, at most OMITTED_DF_MAX.  If
 * df is 0, choose it by the cost of recomputing rows. */
int count_plan_leave_out(struct count_plan *p, const struct lists *inv,
                         uint32_t df, struct cooc_err *err);
/* Append a shard for each share of the omitted rows that begins before last,
 * which is not in it. */
int count_plan_widen(struct count_plan *p, uint32_t last,
                     struct cooc_err *err);
void count_plan_release(struct count_plan *p);

/* The predicted time of row t, in units of about a tenth of a nanosecond, if
 * bitmaps of the documents are used: 5 ns per document, 2.3 ns per 256 columns
 * of its bitmap, 0.4 ns per pair (at most t), and 2.5 us to look through the
 * counters of the row.  Omitted rows are only counted. */
static inline uint64_t count_plan_work(const struct count_plan *p,
                                       const struct lists *inv, uint32_t t)
{
    uint64_t df = inv->off[t + 1] - inv->off[t], cost = p->cost[t];
    uint64_t add = df * ((t < 16384 ? t : 16384) / 11 + 50);

    if (df < 2)
        return 0;
    if (t >= p->made)
        return add / 4 + 1;
    return add + 4 * (cost < t ? cost : t) + 25000 + t / 12;
}

/* Give the memory of costs [first, last) back to the kernel.  They can
 * still be used. */
void count_plan_forget(const struct count_plan *p, uint32_t first,
                       uint32_t last);

#endif
