/* cutoff.h - which pairs need not be scored, since they are too weak.
 *
 * A pass over all pairs keeps few of them, and to score one takes longer
 * than to decode ten.  But the score of a pair depends on its count and the
 * df of its terms alone, in a row the df of y is fixed, and with the count
 * fixed too, nearly every measure falls as the df of x rises, that is, rises
 * with the id of x (formulas.h).  So for each small count there is a range of
 * ids that are too weak; it is found by halving, once for all rows of the
 * same df.  What is not in it is scored.
 */
#ifndef COOC_CUTOFF_H
#define COOC_CUTOFF_H

#include "base/entry.h"
#include "query/ranking.h"

enum { CUTOFF_COUNTS = 64 };

/* All zero but for r is ready for the first row. */
struct cutoff {
    const struct ranking *r;
    double least;         /* strength */
    struct cooc_pair row; /* of the row at hand: fy, documents */
    uint32_t columns;     /* terms at least as frequent as y */
    uint64_t known;       /* one bit per count: its range is made */
    struct {
        uint32_t first, n; /* ids that are too weak */
    } weak[CUTOFF_COUNTS];
};

/* A row begins, and pairs below this strength are not wanted.  *highest: no
 * pair of it is stronger, or infinity if that is not known.  False: it has
 * none that is wanted. */
bool cutoff_row(struct cutoff *c, uint32_t y, double least, double *highest);

/* Is the pair with column x of this row too weak, for all that is known? */
static inline bool cutoff_weak(const struct cutoff *c, struct entry e)
{
    return e.count < CUTOFF_COUNTS &&
           e.term - c->weak[e.count].first < c->weak[e.count].n;
}

/* Look closer: make the range of the count, and ask again. */
bool cutoff_find(struct cutoff *c, struct entry e);

#endif
