/* count_run.h - run a method on all threads and check its output.
 *
 * Every row of a method is checked before it is passed on to its shard: order,
 * range, and the sum of its counts against the plan.  So a wrong method causes
 * an error, never a wrong store.
 */
#ifndef COOC_COUNT_RUN_H
#define COOC_COUNT_RUN_H

#include "count/method.h"
#include "count/plan.h"

/* Receives the rows of each shard, between begin() and end().  Different shards
 * may be open at the same time on different threads. */
struct shard_sinks {
    int (*begin)(void *self, uint32_t shard, struct row_sink *out,
                 struct cooc_err *err);
    /* ok: the shard has received all its rows; otherwise discard it. */
    int (*end)(void *self, uint32_t shard, struct row_sink *sink, bool ok,
               struct cooc_err *err);
    void *self;
    /* Whether the shard already exists.  Its rows are not requested, and are
     * discarded if the method emits them nevertheless.  NULL: no shard
     * exists. */
    bool (*done)(void *self, uint32_t shard);
};

int count_run(const struct count_method *method, const struct count_plan *p,
              const struct count_job *job, unsigned threads,
              const struct shard_sinks *sinks, struct watch *watch,
              struct cooc_err *err);

#endif
