/* row_parts.h - a row as bit planes, as fast methods produce it, instead of a
 * list of entries.
 *
 * A row consists of words of 64 columns in ascending order, with counters split
 * by bit position (kernel/kernel.h).  First come the words of the head, for
 * columns 0, 64, 128 and so on, which may be empty; then the words of the tail,
 * each with its number (column / 64), which are not empty.
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
    /* head + n_tail, plus empty words up to a multiple of 4. */
    size_t words;
    unsigned bits;          /* number of planes */
    const uint64_t *at_least; /* bits + 1 bitmaps; j: counts >= 2^j */
    size_t head;            /* words in the head, a multiple of 4 */
    const uint32_t *tail;   /* numbers of the tail's words: column / 64 */
    size_t n_tail;
    size_t pairs; /* number of pairs in the row */
    uint64_t sum; /* sum of all its counts */
};

/* Whether every column is below t, the words are ascending, and no word of the
 * tail is empty.  (Bits within a word are ascending by definition.) */
bool row_parts_fit(const struct row_parts *r, uint32_t t);

/* Convert the row to entries, in *entries, which grows as needed; row_expand.h
 * is faster, but needs more memory. */
int row_parts_expand(const struct row_parts *r, struct entry **entries,
                     size_t *cap, size_t *n, struct cooc_err *err);

/* The memory of a row in parts.  An all-zero struct is empty. */
struct row_room {
    uint64_t *planes; /* the planes, then the bitmaps of at_least */
    size_t planes_cap;
    uint32_t *tail;
    size_t tail_cap;
};

void row_room_release(struct row_room *room);

/* Lay out a row of head words and n_tail tail words.  The caller fills their
 * planes in room->planes; those of the padding words are already 0. */
int row_room_begin(struct row_room *room, struct row_parts *r, size_t head,
                   size_t n_tail, unsigned bits, struct cooc_err *err);
/* Complete the row after its planes are filled: at_least, pairs and sum. */
void row_room_end(struct row_room *room, struct row_parts *r);

/* Convert entries to a row in parts. */
int row_room_take(struct row_room *room, struct row_parts *r,
                  const struct kernels *k, const struct entry *entries,
                  size_t n, struct cooc_err *err);

/* Receives rows, from a counting method or from a merge, in increasing order of
 * their term.  A row arrives either as entries or in parts.  A sink for rows of
 * a counting method must accept both. */
struct row_sink {
    int (*row)(void *self, uint32_t term, const struct entry *entries,
               size_t n, struct cooc_err *err);
    void *self;
    int (*parts)(void *self, uint32_t term, const struct row_parts *row,
                 struct cooc_err *err);
};

#endif
