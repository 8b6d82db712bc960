/* merge.h - one store of many, in a directory that is the caller's. */
#ifndef COOC_JOBS_MERGE_H
#define COOC_JOBS_MERGE_H

#include <stdbool.h>

#include "cooc_build.h"
#include "jobs/count.h"
#include "store/manifest.h"

/* What making rows will take, in nanoseconds on one thread. */
struct rows_cost {
    double sum;   /* adding up the rows of stores */
    double count; /* counting the united documents */
};

/* What a store adds to it.  One that is not counted must be, to add up its
 * rows, and has a pair for each increment at worst. */
void rows_cost_add(struct rows_cost *c, const struct manifest *m);

/* The options of a merge, copied from the caller's structs. */
struct merge_order {
    struct cooc_merge_options o;
    struct count_order count;
};

/* Copy and check the options; given may be NULL. */
int merge_order_read(struct merge_order *order,
                     const struct cooc_merge_options *given,
                     struct cooc_err *err);

/* The report of a merge, complete. */
struct merge_outcome {
    struct cooc_merge_report r;
    struct count_outcome count;
};

/* Can the caller's report, which may be NULL, be filled? */
int merge_report_check(const struct cooc_merge_report *given,
                       struct cooc_err *err);
void merge_report_write(const struct merge_outcome *own,
                        struct cooc_merge_report *given);

/* Unite stores[0..n) into dir, which exists and is empty.  It is called
 * name in messages, and force is what to type if the disk seems too
 * small. */
int merge_into(const char *const *stores, size_t n, const char *dir,
               const char *name, const char *force,
               const struct merge_order *order, struct merge_outcome *outcome,
               struct cooc_err *err);

#endif
