/* count_run.h - run a method over all rows, on all cores, and check it.
 *
 * Every row that comes out of a method passes a check before it goes on to
 * its shard: order, range, and the sum of its counts against the plan.  A
 * method that is wrong anywhere is an error here, never a wrong store.
 */
#ifndef COOC_COUNT_RUN_H
#define COOC_COUNT_RUN_H

#include "count/method.h"
#include "count/plan.h"

/* Where the rows of a shard go.  begin() and end() bracket them; different
 * shards may be open at the same time on different threads. */
struct shard_sinks {
    int (*begin)(void *self, uint32_t shard, struct row_sink *out,
                 struct cooc_err *err);
    /* ok: all rows were given; else drop the shard. */
    int (*end)(void *self, uint32_t shard, struct row_sink *sink, bool ok,
               struct cooc_err *err);
    void *self;
    /* Is the shard there already?  Its rows are not asked for, and are
     * dropped if they come all the same.  NULL: none is. */
    bool (*done)(void *self, uint32_t shard);
};

int count_run(const struct count_method *method, const struct count_plan *p,
              const struct count_job *job, unsigned threads,
              const struct shard_sinks *sinks, struct watch *watch,
              struct cooc_err *err);

#endif
