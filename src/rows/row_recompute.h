/* row_recompute.h - a row that the store leaves out, from its documents.
 *
 * Such a row belongs to a term in few documents: what comes before the term
 * in each of them is the row.  One document is copied, two are merged, more
 * are counted.  docs/DECISIONS.md has the times.
 *
 * Every list comes through the collection, which verifies it; that both
 * views agree on the term is verified here.
 */
#ifndef COOC_ROW_RECOMPUTE_H
#define COOC_ROW_RECOMPUTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"
#include "index/collection.h"

/* The entries of the last row, and counters, made when first needed: 1.3
 * bytes a term.  All zero is ready for use. */
struct row_recompute {
    struct entry *entries;
    size_t n, cap;
    uint64_t *odd, *even; /* bitmaps of what was counted, to be joined */
    uint64_t *marks;  /* a byte for each of their words: look there */
    uint8_t *counts;  /* by term; the end of a block that begins at odd */
};

/* Row t, whose term must be in at most most_df (< 256) documents. */
int row_recompute(struct row_recompute *r, const struct collection *c,
                  uint32_t t, uint32_t most_df, struct cooc_err *err);
void row_recompute_release(struct row_recompute *r);

#endif
