/* row_recompute.h - recompute a row that the store omits, from its documents.
 *
 * An omitted row belongs to a term with few documents; the row is the sum of
 * the terms before it in each of these documents.  One document is copied, two
 * are merged, more are counted.  docs/DECISIONS.md has the times.
 *
 * Lists are read through the collection, which verifies them.  That forward and
 * inverted index agree on the term is verified here.
 */
#ifndef COOC_ROW_RECOMPUTE_H
#define COOC_ROW_RECOMPUTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"
#include "index/collection.h"

/* The entries of the last row, and counters, which are allocated when first
 * needed: 1.3 bytes per term.  An all-zero struct is ready for use. */
struct row_recompute {
    struct entry *entries;
    size_t n, cap;
    uint64_t *odd, *even; /* bitmaps of non-zero counters: their union */
    uint64_t *marks;  /* one byte per bitmap word: 1 if not empty */
    uint8_t *counts;  /* by term; in one allocation with odd */
};

/* Recompute row t.  Term t must be in at most most_df (< 256) documents. */
int row_recompute(struct row_recompute *r, const struct collection *c,
                  uint32_t t, uint32_t most_df, struct cooc_err *err);
void row_recompute_release(struct row_recompute *r);

#endif
