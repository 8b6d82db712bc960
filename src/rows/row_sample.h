/* row_sample.h - sample rows in proportion to their size, and encode them.
 *
 * Items, each of which leads to one row, are visited in order.  Let S be the
 * sum of their sizes: n draws are made at equal steps from 0 to S, so the
 * sample contains rows of every kind in proportion.
 *
 * Example.  Sizes 10, 30, 20; n = 2: the draws are at 15 and 45, which hit the
 * second and the third item.
 */
#ifndef COOC_ROW_SAMPLE_H
#define COOC_ROW_SAMPLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/entry.h"
#include "rows/row_code.h"

struct sample {
    /* Pass the size of each item to sample_hits().  For each item that
     * is hit, add the cost of its row to s->cost; if s->count, evaluate
     * the row as well. */
    int (*walk)(void *self, struct sample *s, struct cooc_err *err);
    void *self;
    uint64_t sizes; /* total size of all items */
    uint32_t n;     /* number of draws; 0: hit every item once */
    bool count;
    uint64_t cost;
    double step, at, next;
    struct buf code; /* code of the last row */
    struct row_scratch scratch;
};

/* Make s->n draws.  While s->n is above least and the rows hit cost more than
 * limit, first halve s->n. */
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

/* Encode a row into s->code. */
int sample_code(struct sample *s, const struct entry *e, size_t n,
                struct cooc_err *err);

#endif
