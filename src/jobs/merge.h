/* merge.h - one store of many, in a directory that is the caller's. */
#ifndef COOC_JOBS_MERGE_H
#define COOC_JOBS_MERGE_H

#include <stdbool.h>

#include "cooc.h"
#include "store/manifest.h"

/* What making rows will take, in nanoseconds on one thread. */
struct rows_cost {
    double sum;   /* adding up the rows of stores */
    double count; /* counting the united documents */
};

/* What a store adds to it.  One that is not counted must be, to add up its
 * rows, and has a pair for each increment at worst. */
void rows_cost_add(struct rows_cost *c, const struct manifest *m);

/* Do the options make sense? */
int merge_check(const struct cooc_merge_options *o, struct cooc_err *err);

/* Unite stores[0..n) into dir, which exists and is empty.  It is called
 * name in messages, and force is what to type if the disk seems too
 * small. */
int merge_into(const char *const *stores, size_t n, const char *dir,
               const char *name, const char *force,
               const struct cooc_merge_options *o,
               struct cooc_merge_report *report, struct cooc_err *err);

#endif
