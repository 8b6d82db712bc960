/* count.h - the rows of a store: cooc_count() without the lock. */
#ifndef COOC_JOBS_COUNT_H
#define COOC_JOBS_COUNT_H

#include "cooc_build.h"

struct stored_rows;

/* The options of a count, copied from the caller's structs, with the defaults
 * of the methods filled in. */
struct count_order {
    struct cooc_count_options o;
    struct cooc_tuning tuning;
    struct cooc_watch watch;
};

/* Copy and check the options; given may be NULL. */
int count_order_read(struct count_order *order,
                     const struct cooc_count_options *given,
                     struct cooc_err *err);

/* The report of a count, complete. */
struct count_outcome {
    struct cooc_count_report r;
    struct cooc_estimate estimate;
};

/* Can the caller's report, which may be NULL, be filled? */
int count_report_check(const struct cooc_count_report *given,
                       struct cooc_err *err);
void count_report_write(const struct count_outcome *own,
                        struct cooc_count_report *given);

/* How the rows are made, other than by the options. */
struct rows_order {
    const struct stored_rows *stored; /* added up from these, or NULL */
    const char *name; /* of the store, for messages; NULL: its path */
    const char *force; /* what to type if the disk seems too small */
};

/* Make the rows of the store in dir, which the caller has locked. */
int count_rows_in(const char *dir, const struct count_order *order,
                  const struct rows_order *how, struct count_outcome *outcome,
                  struct cooc_err *err);

#endif
