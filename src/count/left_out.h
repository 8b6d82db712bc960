/* left_out.h - how many pairs are in the rows that are not made. */
#ifndef COOC_LEFT_OUT_H
#define COOC_LEFT_OUT_H

#include "count/plan.h"

struct watch;

/* The pairs of the rows from plan->made on, which are told to watch. */
int omitted_pairs(const struct count_plan *plan, const struct lists *fwd,
                   const struct lists *inv, unsigned threads,
                   struct watch *watch, uint64_t *pairs,
                   struct cooc_err *err);

#endif
