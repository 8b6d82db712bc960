/* runs.h - rows on their way to be added up, and their sums.
 *
 * Rows that are not whole yet are written to runs (run_merge.h): the rows of
 * some documents, or of a store, in order, a stream for each shard of the
 * plan.  When all runs are there they are merged, BUDGET_FAN_IN at a time,
 * until one merge can make the shards.  All streams are in one nameless file.
 *
 * Threads    Different shards may be written and emitted at the same time.
 */
#ifndef COOC_RUNS_H
#define COOC_RUNS_H

#include "count/method.h"
#include "count/plan.h"
#include "jobs/budget.h"
#include "jobs/run_merge.h"

struct runs {
    const struct budget *budget;
    const struct count_plan *plan;
    const struct kernels *k;
    uint32_t first_shard, shards; /* those that are wanted */
    struct spool_file spool;
    struct run_streams {
        struct spool *shards;
    } * runs;
    size_t n, cap;
};

struct batch_report {
    uint32_t batches;
    uint32_t merges; /* before the last one */
    uint64_t bytes;  /* written to the temporary file */
};

/* For the shards of the plan that are in job's rows. */
int runs_new(struct runs **out, const struct budget *budget,
             const struct count_plan *plan, const struct count_job *job,
             struct cooc_err *err);
void runs_free(void *runs);

/* Begin a run; to[i] is for rows of the i-th wanted shard. */
int runs_append(struct runs *r, struct spool **to, struct cooc_err *err);

/* All runs are there: merge until no more than BUDGET_FAN_IN are left. */
int runs_ready(struct runs *r, struct watch *watch, struct batch_report *report,
               struct cooc_err *err);

/* The sums of job's rows. */
int runs_emit(const struct runs *r, const struct count_job *job,
              const struct row_sink *out, struct cooc_err *err);

#endif
