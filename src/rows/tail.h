/* tail.h - counters for the rare columns of a row.
 *
 * The counters should stay in the cache, so they are single bytes while a row
 * has fewer than 256 documents, which is nearly always the case.  One flag per
 * 64 columns, and one summary flag per 64 flags, tell which counters were
 * used.  Flags are bytes, because setting a byte is a plain store that nothing
 * has to wait for.
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
    bool small;    /* this row uses bytes, not counts */
    uint8_t *bytes;   /* in one allocation with flags and summary */
    uint32_t *counts; /* allocated when first needed */
    uint8_t *flags, *summary;
    size_t counts_cap;
};

/* Prepare counters for columns [0, last). */
int tail_init(struct tail *t, uint32_t last, struct cooc_err *err);
void tail_release(struct tail *t);

/* Begin a row with this number of documents. */
int tail_begin(struct tail *t, uint64_t documents, uint32_t row,
               struct cooc_err *err);

/* Count the terms of an ascending list that are below row; the list must
 * contain row.  (The pointers are copied because uint8_t stores may
 * alias anything.) */
static inline void tail_add(struct tail *t, const uint32_t *terms,
                            uint32_t row)
{
    uint8_t *bytes = t->bytes, *flags = t->flags, *summary = t->summary;
    uint32_t *counts = t->counts;

    if (t->small)
        for (uint32_t c; *terms < row; terms++) {
            c = *terms;
            bytes[c]++;
            flags[c >> 6] = 1;
            summary[c >> 12] = 1;
        }
    else
        for (uint32_t c; *terms < row; terms++) {
            c = *terms;
            counts[c]++;
            flags[c >> 6] = 1;
            summary[c >> 12] = 1;
        }
}

/* List the words that have counts in room->tail; *n is their number.  Clears
 * the flags. */
int tail_list(struct tail *t, const struct kernels *k, uint32_t row,
              struct row_room *room, size_t *n, struct cooc_err *err);
/* Move the counts of these words to the planes of r, after its head.  Clears
 * the counters. */
void tail_take(struct tail *t, struct row_room *room,
               const struct row_parts *r);

#endif
