/* store_sum.h - the rows of a united collection, out of the rows of the
 * stores it was made of.
 *
 * A method like batch_count.h, whose batches have been counted already: seen
 * from outside it counts, so that shards, threads and the check of every row
 * stay as they are.
 */
#ifndef COOC_STORE_SUM_H
#define COOC_STORE_SUM_H

#include "jobs/batch_count.h"
#include "store/store.h"

/* Counted stores.  The one opened last is closed by the next open(), or by
 * whoever made this. */
struct stored_rows {
    size_t n;
    int (*open)(void *self, size_t i, const struct store **out,
                struct cooc_err *err);
    void *self;
    const uint32_t *maps;  /* of store i, from first[i] on: old id -> new */
    const uint64_t *first;
    uint64_t pairs;        /* of all stores */
    uint64_t temporary;    /* bytes that runs of them will take, about */
    uint32_t most_terms;   /* of a store */
    uint64_t batch_pairs;  /* not 0: sort so many at a time */
};

/* What count_job.given points to. */
struct sum_job {
    const struct stored_rows *rows;
    const struct budget *budget;
    const struct count_plan *plan;
    struct batch_report *report;
};

struct count_method sum_method(void);

#endif
