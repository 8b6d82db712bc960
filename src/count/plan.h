/* plan.h - what the rows will cost, and where they are cut into shards.
 *
 * The cost of row t is the number of increments it takes: over the documents
 * of t, the place of t in the document.  It is also exactly the sum of the
 * row's counts, which is how every method is checked.
 *
 * Shards are cut by cost and depend on the collection alone, so that the
 * files are the same whatever the method, threads or memory.
 */
#ifndef COOC_PLAN_H
#define COOC_PLAN_H

#include <stdint.h>

#include "index/collection.h"

struct count_plan {
    uint64_t *cost;    /* by row */
    uint64_t total;    /* all increments */
    uint32_t *cuts;    /* shard i is rows [cuts[i], cuts[i + 1]) */
    uint32_t n_shards; /* at least 1 if there is a term */
};

int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err);
void count_plan_release(struct count_plan *p);

#endif
