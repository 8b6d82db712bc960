/* row_parts.h - a row as a fast method has it, without entry after entry.
 *
 * Columns below 64 * words are counters by bit position (kernel/kernel.h),
 * the rest are ordinary entries; or the whole row is a list of terms that
 * all count 1.  What is not there is empty.
 */
#ifndef COOC_ROW_PARTS_H
#define COOC_ROW_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct kernels;

struct row_parts {
    const struct kernels *k;
    const uint64_t *planes; /* plane j at planes + j * words */
    size_t words;           /* a multiple of 4 */
    unsigned bits;          /* planes */
    const uint64_t *at_least; /* bits + 1 bitmaps: is the count >= 2^j? */
    const struct cooc_entry *tail;
    size_t n_tail;
    const uint32_t *once; /* ascending; then there are no planes or tail */
    size_t n_once;
    size_t pairs; /* of the whole row */
};

/* The sum of all counts. */
uint64_t row_parts_sum(const struct row_parts *r);

/* Is every column below t, and is the tail behind the planes, in order,
 * without zeros?  (Bits and the list once are in order by themselves.) */
bool row_parts_fit(const struct row_parts *r, uint32_t t);

/* The row as entries, in *entries, which grows. */
int row_parts_expand(const struct row_parts *r, struct cooc_entry **entries,
                     size_t *cap, size_t *n, struct cooc_err *err);

#endif
