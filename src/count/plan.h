/* plan.h - what the rows will cost, and where they are cut into shards.
 *
 * The cost of row t is the number of increments it takes: over the documents
 * of t, the place of t in the document.  It is also exactly the sum of the
 * row's counts, which is how every method is checked.
 *
 * Shards are cut by cost and depend on the collection alone, so that the
 * files are the same whatever the method, threads or memory.
 *
 * Rows of the rarest terms need not be made: a reader has them from the few
 * documents of the term in no time.  Ids are by frequency, so these are the
 * last rows.  The row of a term in one document is a prefix of it and is
 * never made; how far the rest go is up to count_plan_leave_out().
 */
#ifndef COOC_PLAN_H
#define COOC_PLAN_H

#include <stdint.h>

#include "index/collection.h"

struct count_plan {
    uint64_t *cost;    /* by row */
    uint64_t total;    /* all increments */
    uint32_t left_out_df; /* rows of terms in so few documents, if they are */
    uint32_t made;        /* the last rows, are not made, but [0, made) are */
    uint32_t *cuts;    /* shard i is rows [cuts[i], cuts[i + 1]) of those */
    uint32_t n_shards; /* at least 1 if a row is made */
};

#define LEFT_OUT_DF_MAX 255u /* so a byte counts in rows that are left out */

/* Every row is made. */
int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err);
/* Make no rows of terms that are in df documents or fewer, at most
 * LEFT_OUT_DF_MAX; 0: choose df by what such rows cost. */
int count_plan_leave_out(struct count_plan *p, const struct lists *inv,
                         uint32_t df, struct cooc_err *err);
void count_plan_release(struct count_plan *p);

#endif
