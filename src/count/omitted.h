/* omitted.h - the number of pairs in the omitted rows. */
#ifndef COOC_OMITTED_H
#define COOC_OMITTED_H

#include "count/method.h"
#include "count/plan.h"

/* Ranges of omitted rows: range i has the rows [cuts[i], cuts[i + 1]). */
struct omitted_ranges {
    const uint32_t *cuts;
    uint32_t n;
    /* Whether the range need not be counted; may be NULL. */
    bool (*done)(void *self, uint32_t range);
    /* Receives the number of pairs of a range, from any thread. */
    int (*finish)(void *self, uint32_t range, uint64_t pairs,
                  struct cooc_err *err);
    void *self;
};

/* Count the pairs in ranges of rows from plan->made on, in the documents of the
 * job, with its bitmaps if it has any.  Their increments and pairs are reported
 * to watch. */
int omitted_count(const struct count_plan *plan, const struct count_job *job,
                  unsigned threads, struct watch *watch,
                  const struct omitted_ranges *ranges, struct cooc_err *err);

/* Count the pairs in all rows from plan->made on, likewise. */
int omitted_pairs(const struct count_plan *plan, const struct count_job *job,
                  unsigned threads, struct watch *watch, uint64_t *pairs,
                  struct cooc_err *err);

#endif
