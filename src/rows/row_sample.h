/* row_sample.h - draw rows in proportion to size, and code them.
 *
 * Items, each of which leads to a row, are walked through in order.  With S
 * the sum of their sizes, n draws are made at equal steps along it, so every
 * kind of row has its share of the sample.
 *
 * Example.  Sizes 10, 30, 20; n = 2: the draws are at 15 and 45, which hits
 * the second item and the third.
 */
#ifndef COOC_ROW_SAMPLE_H
#define COOC_ROW_SAMPLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/entry.h"
#include "rows/row_code.h"

struct sample {
    /* Give the size of each item to sample_hits().  Of those that are hit, add
     * the cost of their rows to s->cost; if s->count, look at them too. */
    int (*walk)(void *self, struct sample *s, struct cooc_err *err);
    void *self;
    uint64_t sizes; /* of all items */
    uint32_t n;     /* draws; 0: every item is hit once */
    bool count;
    uint64_t cost;
    double step, at, next;
    struct buf code; /* of the last row */
    struct row_scratch scratch;
};

/* Make s->n draws; but halve s->n while it is above least and the rows that
 * are hit cost more than limit. */
int sample_draw(struct sample *s, uint32_t least, uint64_t limit,
                struct cooc_err *err);
void sample_release(struct sample *s);

/* The number of draws that hit the next item. */
static inline uint32_t sample_hits(struct sample *s, uint64_t size)
{
    uint32_t hits = s->n == 0;

    for (s->at += (double)size; s->n && s->next < s->at; s->next += s->step)
        hits++;
    return hits;
}

/* Put the code of a row into s->code. */
int sample_code(struct sample *s, const struct entry *e, size_t n,
                struct cooc_err *err);

#endif
