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

struct shard_sinks;
struct stored_rows;

struct runs {
    const struct runs_job *given;
    const struct kernels *k;
    uint32_t first_shard, shards; /* of the plan, those that are wanted */
    const uint32_t *cuts; /* wanted shard i is rows [cuts[i], cuts[i + 1]) */
    struct spool_file spool;
    struct spool **runs; /* runs[i][k]: rows of the k-th wanted shard */
    size_t n, cap;
};

struct runs_report {
    uint32_t batches;
    uint32_t merges; /* before the last one */
    uint64_t bytes;  /* written to the temporary file */
};

/* What count_job.given points to. */
struct runs_job {
    /* Write every run: batch_count() or store_sum(). */
    int (*fill)(struct runs *r, const struct count_job *job,
                struct cooc_err *err);
    const struct count_plan *plan; /* of the collection */
    const struct budget *budget;
    struct runs_report *report;
    const struct shard_sinks *sinks;  /* which shards are done; or NULL */
    const struct stored_rows *stored; /* for store_sum() */
};

/* The method that fills runs and merges them.  Seen from outside it is a
 * method like any other, so that shards, threads and the check of every row
 * stay as they are.  Only the rows [job->first, job->last) are prepared. */
extern const struct count_method runs_method;

/* Begin a run; to[i] is for rows of the i-th wanted shard. */
int runs_append(struct runs *r, struct spool **to, struct cooc_err *err);

/* A writer for one stream of a run. */
static inline struct run_writer runs_writer(struct runs *r, struct spool *to)
{
    return (struct run_writer){ .spool = &r->spool, .to = to,
                                .scratch = { .k = r->k } };
}

#endif
