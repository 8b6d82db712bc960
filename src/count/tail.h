/* tail.h - counters for the rare columns of a row.
 *
 * What counts here is that the counters stay in the cache: a byte each while
 * a row has fewer than 256 documents, which is nearly always.  A flag for 64
 * columns, and one for 64 of those, say where there is something to take;
 * flags are bytes, because to set one is a store that nothing waits for.
 */
#ifndef COOC_TAIL_H
#define COOC_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct kernels;
struct row_parts;
struct row_room;

struct tail {
    uint32_t from; /* the first column; counters are numbered from it */
    bool small;    /* this row's counters are bytes */
    uint8_t *bytes;   /* in one block with flags and summary */
    uint32_t *counts; /* made when first needed */
    uint8_t *flags, *summary;
    size_t counts_cap;
};

/* Columns [from, last); from is a multiple of 64. */
int tail_init(struct tail *t, uint32_t from, uint32_t last,
              struct cooc_err *err);
void tail_release(struct tail *t);

/* Begin a row of so many documents. */
int tail_begin(struct tail *t, uint64_t documents, uint32_t row,
               struct cooc_err *err);

/* Count the terms of an ascending list that are below row, which is in it.
 * (The pointers are copied because bytes may alias anything.) */
static inline void tail_add(struct tail *t, const uint32_t *terms,
                            uint32_t row)
{
    uint8_t *bytes = t->bytes, *flags = t->flags, *summary = t->summary;
    uint32_t from = t->from, *counts = t->counts;

    if (t->small)
        for (uint32_t c; *terms < row; terms++) {
            c = *terms - from;
            bytes[c]++;
            flags[c >> 6] = 1;
            summary[c >> 12] = 1;
        }
    else
        for (uint32_t c; *terms < row; terms++) {
            c = *terms - from;
            counts[c]++;
            flags[c >> 6] = 1;
            summary[c >> 12] = 1;
        }
}

/* The words that have counts, numbered from the first column of the tail,
 * into room->tail; there are *n.  The flags are clear again. */
int tail_list(struct tail *t, const struct kernels *k, uint32_t row,
              struct row_room *room, size_t *n, struct cooc_err *err);
/* Their counts into the planes of r, behind its head; all counters are 0
 * again and the words have their true numbers. */
void tail_take(struct tail *t, struct row_room *room,
               const struct row_parts *r);

#endif
