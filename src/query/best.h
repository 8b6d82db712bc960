/* best.h - the best hits seen so far, up to a limit.
 *
 * A heap with the weakest on top.  Equal scores are told apart by ids, the
 * more frequent terms first, so that the answer is the same whatever order
 * the hits came in.
 */
#ifndef COOC_BEST_H
#define COOC_BEST_H

#include <stddef.h>

#include "cooc.h"

struct best {
    struct cooc_hit *hits;
    size_t n, cap, limit; /* limit 0: keep all */
};

/* The weakest of the best, once there are as many as are kept; or NULL. */
static inline const struct cooc_hit *best_weakest(const struct best *b)
{
    return b->limit && b->n == b->limit ? b->hits : NULL;
}

int best_add(struct best *b, const struct cooc_hit *hit,
             struct cooc_err *err);
void best_sort(struct best *b); /* strongest first; adding is over */
void best_release(struct best *b);

#endif
