/* tail.h - counters for the rare columns of a row.
 *
 * What counts here is that the counters stay in the cache: a byte each while
 * a row has fewer than 256 documents, which is nearly always.  Touched ones
 * are marked in a bitmap with a smaller one above it, so that they come out
 * sorted without a sweep.
 */
#ifndef COOC_TAIL_H
#define COOC_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct tail {
    uint32_t from; /* the first column; counters are numbered from it */
    bool small;    /* this row's counters are bytes */
    uint8_t *bytes;
    uint32_t *words; /* made when first needed */
    uint64_t *touched, *summary;
    size_t width;
    struct cooc_entry *entries; /* of the row taken last */
    size_t cap;
};

int tail_init(struct tail *t, uint32_t from, uint32_t last,
              struct cooc_err *err);
void tail_release(struct tail *t);

/* Begin a row of so many documents. */
int tail_begin(struct tail *t, uint64_t documents, struct cooc_err *err);

/* Count the terms of an ascending list that are below row, which is in it. */
static inline void tail_add(struct tail *t, const uint32_t *terms,
                            uint32_t row)
{
    for (; *terms < row; terms++) {
        uint32_t c = *terms - t->from;

        if (t->small)
            t->bytes[c]++;
        else
            t->words[c]++;
        t->touched[c >> 6] |= (uint64_t)1 << (c & 63);
        t->summary[c >> 12] |= (uint64_t)1 << (c >> 6 & 63);
    }
}

/* What was counted, ascending, in t->entries; all counters are 0 again. */
int tail_take(struct tail *t, uint32_t row, size_t *n, struct cooc_err *err);

#endif
