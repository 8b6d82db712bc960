/* count_within.h - count with the memory that is given: at once or in batches.
 */
#ifndef COOC_COUNT_WITHIN_H
#define COOC_COUNT_WITHIN_H

#include "count/count_run.h"
#include "jobs/batch_count.h"
#include "jobs/budget.h"

struct stored_rows;

struct count_within {
    struct count_job *job;   /* both views, parameters */
    struct count_plan *plan;
    struct watch *watch;
    const struct stored_rows *stored; /* not NULL: no counting, but adding
                                         up the rows of stores */
    struct budget budget;    /* decided; its threads count */
    struct batch_report report;
    uint64_t left_out;       /* pairs of rows that are not made */
};

/* Decide how to count; w->job, w->plan and w->watch are set.  COOC_ELIMIT if
 * the memory is too little. */
int count_within_decide(struct count_within *w,
                        const struct count_method *method, uint64_t memory,
                        uint64_t batch_postings, unsigned threads,
                        struct cooc_err *err);

/* Count the shards that sinks do not have, and all pairs that are left out. */
int count_within_run(struct count_within *w, const struct shard_sinks *sinks,
                     struct cooc_err *err);

#endif
