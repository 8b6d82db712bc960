/* row_expand.h - convert a row in parts to entries, many columns at a time.
 *
 * The columns are the ones of the bitmap of all counts.  The bits of each plane
 * at these columns are packed, so that the count of the i-th column is at bit i
 * of the packed planes, as in a row that is decoded (row_decode.c).
 */
#ifndef COOC_ROW_EXPAND_H
#define COOC_ROW_EXPAND_H

#include "base/entry.h"
#include "rows/row_parts.h"

/* Scratch memory.  An all-zero struct is ready for use. */
struct row_expand {
    uint32_t *index;   /* words that are not empty, and their numbers */
    size_t index_cap;
    uint32_t *columns;
    size_t columns_cap;
    uint64_t *packed;
    size_t packed_cap;
};

/* Convert the row to *n entries in *entries, which grows as needed. */
int row_expand(struct row_expand *x, const struct row_parts *r,
               struct entry **entries, size_t *cap, size_t *n,
               struct cooc_err *err);
void row_expand_release(struct row_expand *x);

#endif
