/* count.h - the rows of a store: cooc_count() without the lock. */
#ifndef COOC_JOBS_COUNT_H
#define COOC_JOBS_COUNT_H

#include "cooc.h"

struct stored_rows;

/* How the rows are made, other than by the options. */
struct rows_order {
    const struct stored_rows *stored; /* added up from these, or NULL */
    const char *name; /* of the store, for messages; NULL: its path */
    const char *force; /* what to type if the disk seems too small */
};

int count_options_check(const struct cooc_count_options *o,
                        struct cooc_err *err);

/* Make the rows of the store in dir, which the caller has locked; options are
 * checked. */
int count_rows_in(const char *dir, const struct cooc_count_options *o,
                  const struct rows_order *how,
                  struct cooc_count_report *report, struct cooc_err *err);

#endif
