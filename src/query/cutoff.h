/* cutoff.h - skip pairs that are too weak, without computing their scores.
 *
 * A pass over all pairs keeps few of them, and scoring one pair takes longer
 * than decoding ten.  The score of a pair depends only on its count and on the
 * df of its two terms.  Within a row the df of y is fixed.  If the count is
 * fixed as well, nearly every measure falls as the df of x rises; since ids
 * are frequency ranks, it rises with the id of x (formulas.h).  So for each
 * small count, the ids x that are too weak form a range.  It is found by
 * binary search, once for all rows with the same df.  Pairs outside the range
 * are scored.
 */
#ifndef COOC_CUTOFF_H
#define COOC_CUTOFF_H

#include "base/entry.h"
#include "query/ranking.h"

enum { CUTOFF_COUNTS = 64 };

/* Set r and leave everything else zero before the first row. */
struct cutoff {
    const struct ranking *r;
    double least;         /* minimum strength */
    struct cooc_pair row; /* of the current row: fy, documents */
    uint32_t columns;     /* terms at least as frequent as y */
    uint64_t known;       /* one bit per count: its range is known */
    struct {
        uint32_t first, n; /* ids that are too weak */
    } weak[CUTOFF_COUNTS];
};

/* Begin row y; pairs with a strength below least are not wanted.  Sets *highest
 * to an upper bound of the strengths in the row, or infinity if none is known.
 * Returns false if the row has no wanted pair. */
bool cutoff_row(struct cutoff *c, uint32_t y, double least, double *highest);

/* Find the terms from first on that are too weak to be partners of a term with
 * df fx, at most the df of which they have.  A count is at most the df of
 * either term, so, for nearly every measure, the rarer the partner, the lower
 * the highest score that it can reach (formulas.h).  Sets *end to the first id
 * such that the strength of all partners from there on is below least. */
int cutoff_rarer(const struct ranking *r, uint64_t fx, uint32_t first,
                 double least, uint32_t *end, struct cooc_err *err);

/* Whether the pair is known to be too weak. */
static inline bool cutoff_weak(const struct cutoff *c, struct entry e)
{
    return e.count < CUTOFF_COUNTS &&
           e.term - c->weak[e.count].first < c->weak[e.count].n;
}

/* Compute the range for the count of the pair if it is not known yet.  Returns
 * whether the pair is too weak. */
bool cutoff_find(struct cutoff *c, struct entry e);

#endif
