/* ordered.h - a parallel loop with results that are used in order.
 *
 * Workers make the results of numbered jobs, in any order; the calling thread
 * takes them in the order of the jobs, and makes results itself while none is
 * ready to be taken:
 *
 *     worker 1     make 0            make 2         make 4 ...
 *     worker 0        make 1   take 0 take 1   make 3  take 2  take 3 ...
 *
 * The result of job j is in slot j % slots, which belongs to the caller.  A job
 * begins when its slot is free, so the number of slots limits the memory.  A
 * result may be larger than a slot: make() then calls ordered_pass(), which
 * returns after take() has emptied the slot.
 *
 * Errors     The error of the lowest-numbered job that failed, in make() or
 *            take(), so that it does not depend on timing.
 */
#ifndef COOC_ORDERED_H
#define COOC_ORDERED_H

#include "cooc.h"

struct ordered;

/* Make the result of a job in a slot.  Calls with the same worker or the same
 * slot never overlap. */
typedef int (*ordered_make_fn)(void *self, struct ordered *loop,
                               unsigned worker, unsigned slot, uint64_t job,
                               struct cooc_err *err);
/* Take a result from its slot, on the calling thread, in the order of jobs. */
typedef int (*ordered_take_fn)(void *self, unsigned slot, uint64_t job,
                               struct cooc_err *err);

int ordered_for(uint64_t n_jobs, unsigned threads, unsigned slots,
                ordered_make_fn make, ordered_take_fn take, void *self,
                struct cooc_err *err);

/* From make(): have what is in the slot so far taken, and wait for it. */
int ordered_pass(struct ordered *loop, unsigned worker, uint64_t job,
                 struct cooc_err *err);

#endif
