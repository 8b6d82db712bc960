/* sum_rows.h - the rows of a united collection, out of the rows of the
 * stores it was made of.  Their rows become runs (runs.h), which are merged.
 */
#ifndef COOC_SUM_ROWS_H
#define COOC_SUM_ROWS_H

#include "jobs/runs.h"
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
    uint64_t sort_pairs;   /* not 0: sort this number at a time */
};

/* runs_job.fill: write the rows of all stores as runs. */
int sum_rows(struct runs *r, const struct count_job *job,
             struct cooc_err *err);

#endif
