/* sum_rows.h - make the rows of a merged collection from the rows of its
 * stores.  They are written to runs (runs.h), which are merged. */
#ifndef COOC_SUM_ROWS_H
#define COOC_SUM_ROWS_H

#include "jobs/runs.h"
#include "store/store.h"

/* Counted stores.  A store remains open until the next open(); the owner of
 * this struct closes the last one. */
struct stored_rows {
    size_t n;
    int (*open)(void *self, size_t i, const struct store **out,
                struct cooc_err *err);
    void *self;
    /* New ids by old id; those of store i begin at maps[first[i]]. */
    const uint32_t *maps;
    const uint64_t *first;
    uint64_t pairs;        /* pairs in all stores */
    uint64_t temporary;    /* estimated bytes of their runs */
    uint32_t most_terms;   /* the most terms in one store */
    uint64_t sort_pairs;   /* not 0: sort at most this number at a time */
};

/* runs_job.fill: write the rows of all stores as runs. */
int sum_rows(struct runs *r, const struct count_job *job,
             struct cooc_err *err);

#endif
