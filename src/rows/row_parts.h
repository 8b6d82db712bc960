/* row_parts.h - a row as a fast method has it, without entry after entry.
 *
 * A row is a number of words of 64 columns, ascending, with counters by bit
 * position (kernel/kernel.h): first those of columns 0, 64, 128, ... that
 * may be empty, then others that have a number and are not empty.
 */
#ifndef COOC_ROW_PARTS_H
#define COOC_ROW_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"

struct kernels;

struct row_parts {
    const struct kernels *k;
    const uint64_t *planes; /* plane j at planes + j * words */
    size_t words;           /* head + n_tail, and empty ones to come to a
                               multiple of 4 */
    unsigned bits;          /* planes */
    const uint64_t *at_least; /* bits + 1 bitmaps: is the count >= 2^j? */
    size_t head;            /* words, a multiple of 4 */
    const uint32_t *tail;   /* numbers of the words behind them: column / 64 */
    size_t n_tail;
    size_t pairs; /* of the whole row */
    uint64_t sum; /* of all its counts */
};

/* Is every column below t, are the words in order, and is none of the tail
 * empty?  (Bits are in order by themselves.) */
bool row_parts_fit(const struct row_parts *r, uint32_t t);

/* The row as entries, in *entries, which grows. */
int row_parts_expand(const struct row_parts *r, struct entry **entries,
                     size_t *cap, size_t *n, struct cooc_err *err);

/* What a row in parts stands in.  All zero is empty. */
struct row_room {
    uint64_t *planes; /* and after them the bitmaps of at_least */
    size_t planes_cap;
    uint32_t *tail;
    size_t tail_cap;
};

void row_room_release(struct row_room *room);

/* Lay out a row of head words and n_tail others, whose planes are to be
 * filled; those of the empty words at the end are 0 already. */
int row_room_begin(struct row_room *room, struct row_parts *r, size_t head,
                   size_t n_tail, unsigned bits, struct cooc_err *err);
/* The planes are full: the rest follows. */
void row_room_end(struct row_room *room, struct row_parts *r);

/* A row in parts from its entries. */
int row_room_take(struct row_room *room, struct row_parts *r,
                  const struct kernels *k, const struct entry *entries,
                  size_t n, struct cooc_err *err);

/* Takes rows, from a counting method or from a merge, in increasing order of
 * their term.  A row comes as entries or in parts.  A sink that gets rows from
 * a counting method must take both. */
struct row_sink {
    int (*row)(void *self, uint32_t term, const struct entry *entries,
               size_t n, struct cooc_err *err);
    void *self;
    int (*parts)(void *self, uint32_t term, const struct row_parts *row,
                 struct cooc_err *err);
};

#endif
