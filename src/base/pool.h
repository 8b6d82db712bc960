/* pool.h - parallel loops: numbered jobs on several threads.
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
 * The caller owns the scratch memory: one element per worker, made before the
 * loop or by the first job of the worker, and released after the loop.
 *
 * Cancelling  A job that calls watch_add() passes on COOC_ECANCELLED, which
 *             ends the loop like any other error.
 * Cost        Threads are started for each loop, so jobs should take much
 *             longer than starting a thread.
 */
#ifndef COOC_POOL_H
#define COOC_POOL_H

#include "cooc.h"

/* The number of cores that this process may use, at least 1. */
unsigned pool_cores(void);

/* COOC_EINVAL if threads exceeds the maximum of the library. */
int pool_check(unsigned threads, struct cooc_err *err);

/* Do one job; return 0 or a negative COOC_E*.  Calls with the same worker
 * number never overlap. */
typedef int (*pool_fn)(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err);

/* Call fn once for each job in [0, n_jobs).  Jobs start in increasing order, on
 * at most the given number of threads, including the calling one; workers are
 * numbered from 0 to threads - 1.  After a failure, no further job starts.
 * Returns 0, or the error of the lowest-numbered job that failed.  If the
 * system refuses to start a thread, the loop runs on fewer, so a job must not
 * wait for a later one. */
int pool_for(uint64_t n_jobs, unsigned threads, pool_fn fn, void *self,
             struct cooc_err *err);

#endif
