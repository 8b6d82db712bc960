/* pool.h - the parallel loop: jobs handed to threads in order.
 *
 *     static int check_block(void *self, unsigned worker, uint64_t job,
 *                            struct cooc_err *err)
 *     {
 *         struct check *c = self;
 *
 *         return block_check(&c->scratch[worker], job, err);
 *     }
 *
 *     rc = pool_for(n_blocks, threads, check_block, &check, err);
 *
 * Scratch space belongs to the caller: one element per worker, made before
 * the loop or by the worker's first job, and released after the loop.
 *
 * Cancelling  A job that asks the watch returns COOC_ECANCELLED, which ends
 *             the loop like any other error.
 */
#ifndef COOC_POOL_H
#define COOC_POOL_H

#include "cooc.h"

/* Cores this process may use, at least 1. */
unsigned pool_cores(void);

/* COOC_EINVAL for more threads than the library starts; 0 means every core. */
int pool_check(unsigned threads, struct cooc_err *err);

/* Do one job.  Calls with the same worker number never overlap.  Returns 0 or
 * a negative COOC_E*. */
typedef int (*pool_fn)(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err);

/* Call fn once for each job in [0, n_jobs), starting jobs in increasing
 * order, on at most threads threads, this one included; workers are numbered
 * from 0 to threads - 1.  After a failure no further job starts.  Returns 0,
 * or the error of the lowest-numbered job that failed.  If the system refuses
 * a thread, the loop runs on fewer: a job must not wait for a later one. */
int pool_for(uint64_t n_jobs, unsigned threads, pool_fn fn, void *self,
             struct cooc_err *err);

#endif
