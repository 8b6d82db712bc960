/* batch_count.h - count a collection that does not fit the memory.
 *
 * A method made of another: the other counts batches of documents, whose rows
 * go to a temporary file (run_merge.h); then each shard is the sum of its
 * rows in all batches.  Seen from outside it is a method like any other, so
 * that shards, threads and the check of every row stay as they are.
 */
#ifndef COOC_BATCH_COUNT_H
#define COOC_BATCH_COUNT_H

#include "count/count_run.h"
#include "count/plan.h"
#include "jobs/runs.h"

/* What count_job.given points to. */
struct batch_job {
    const struct count_method *inner;
    const struct budget *budget;
    const struct count_plan *plan; /* of the collection */
    const struct shard_sinks *sinks; /* which shards are done; or NULL */
    struct batch_report *report;
};

/* The method that counts with inner.  Only the rows [job->first, job->last)
 * are prepared for. */
struct count_method batch_method(const struct count_method *inner);

#endif
