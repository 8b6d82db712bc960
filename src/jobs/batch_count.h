/* batch_count.h - count a collection that does not fit the memory.
 *
 * Another method counts batches of documents; the rows of each batch are a
 * run, and each shard is the sum of its rows in all runs (runs.h).
 */
#ifndef COOC_BATCH_COUNT_H
#define COOC_BATCH_COUNT_H

#include "jobs/runs.h"

/* runs_job.fill: count every batch with the method of the budget. */
int batch_count(struct runs *r, const struct count_job *job,
                struct cooc_err *err);

#endif
