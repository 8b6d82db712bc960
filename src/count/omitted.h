/* omitted.h - the number of pairs in the omitted rows. */
#ifndef COOC_OMITTED_H
#define COOC_OMITTED_H

#include "count/method.h"
#include "count/plan.h"

/* Count the pairs in the rows from plan->made on, in the documents of the job,
 * with its bitmaps if it has any.  Their increments and pairs are reported to
 * watch. */
int omitted_pairs(const struct count_plan *plan, const struct count_job *job,
                  unsigned threads, struct watch *watch, uint64_t *pairs,
                  struct cooc_err *err);

#endif
