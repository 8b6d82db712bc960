/* row_sum.h - add up rows, entry by entry, and take the sum out sorted.
 *
 * Frequent columns have counters, marked as in count/tail.h; the others, of
 * which a row has few, are collected, sorted and joined.  So the memory is
 * bounded however many columns there are.
 */
#ifndef COOC_ROW_SUM_H
#define COOC_ROW_SUM_H

#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct row_sum {
    uint32_t dense; /* columns with counters */
    uint32_t *counts;
    uint64_t *touched, *summary;
    uint64_t *rest, *rest_tmp; /* column << 32 | count */
    size_t n_rest, rest_cap, tmp_cap;
    struct cooc_entry *entries; /* of the row taken last */
    size_t cap;
};

int row_sum_init(struct row_sum *s, uint32_t dense, struct cooc_err *err);
void row_sum_release(struct row_sum *s);

/* Add entries, which ascend. */
int row_sum_add(struct row_sum *s, const struct cooc_entry *e, size_t n,
                struct cooc_err *err);
/* The same for entries in any order. */
int row_sum_add_any(struct row_sum *s, const struct cooc_entry *e, size_t n,
                    struct cooc_err *err);
/* Add 1 for each of the terms, which ascend. */
int row_sum_terms(struct row_sum *s, const uint32_t *terms, size_t n,
                  struct cooc_err *err);
/* The sum, in s->entries; it is zero again afterwards. */
int row_sum_take(struct row_sum *s, size_t *n, struct cooc_err *err);

#endif
