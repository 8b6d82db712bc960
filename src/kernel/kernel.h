/* kernel.h - the inner loops of counting and of the row code, one table of
 * functions per instruction set.
 *
 * A bitmap is an array of 64-bit words with one bit per column.  Planes store
 * one counter per column, split by bit position: bit c of plane j is bit j of
 * the count of column c.  Plane j begins at planes + j * stride.
 *
 *     counts of columns 0 to 4     3  0  1  2  5
 *     plane 0 (ones)               1  0  1  0  1
 *     plane 1 (twos)               1  0  0  1  0
 *     plane 2 (fours)              0  0  0  0  1
 *
 * "With slack" means that KERNEL_SLACK items after the last one may be written
 * or must be readable.
 *
 * The scalar table is the reference; all others must return the same bits.
 *
 * Threads    The functions keep no state.
 */
#ifndef COOC_KERNEL_H
#define COOC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"

#define KERNEL_SLACK 16 /* items that may be written after an output */

/* A bitmap of some width: columns from there on are 0.  The number of words is
 * a multiple of 4. */
struct bitmap {
    const uint64_t *at;
    size_t words;
};

struct kernels {
    const char *name;
    bool (*usable)(void); /* whether this CPU supports it */

    /* ---- counting ---- */

    /* Set planes, of `words` words, a multiple of 4, to the sum of n > 1
     * bitmaps, per column; n < 2^bits.  If `more`, add them to the planes,
     * which already are a sum of at least 255 bitmaps.  The bitmaps are in
     * order of falling width. */
    void (*add_up)(uint64_t *planes, size_t stride, unsigned bits,
                   const struct bitmap *maps, size_t n, size_t words,
                   bool more);

    /* Set out, of `words` words, a multiple of 4, to the union of n bitmaps,
     * which are in order of falling width. */
    void (*unite)(uint64_t *out, const struct bitmap *maps, size_t n,
                  size_t words);

    /* Convert byte counters to planes, for n words of 64 columns: word i
     * comes from counts[64 * number[i]] and the next 63 counters, which are
     * set to 0. */
    void (*take_bytes)(uint64_t *planes, size_t stride, unsigned bits,
                       uint8_t *counts, const uint32_t *number, size_t n);

    /* Fill bits + 1 bitmaps of `words` words each, a multiple of 4: bitmap j
     * has the columns with a count of at least 2^j; the last one is empty.
     * Return the number of columns with a count, and set *sum to the sum of
     * all counts. */
    size_t (*finish)(uint64_t *at_least, const uint64_t *planes,
                     unsigned bits, size_t words, uint64_t *sum);

    /* Return the number of ones. */
    size_t (*ones)(const uint64_t *map, size_t words);

    /* Set counts to the number of ones in each block of four words. */
    void (*block_ones)(uint16_t *counts, const uint64_t *map, size_t words);

    /* ---- writing rows ---- */

    /* Write the numbers of the words of map that are not 0, in ascending
     * order, and return how many there are.  Only the words among[0..n) are
     * examined, or the words 0 to n - 1, n a multiple of 4, if among is NULL.
     * out may be equal to among. */
    size_t (*nonzero)(uint32_t *out, const uint64_t *map,
                      const uint32_t *among, size_t n);

    /* Pack the bits of from[] at the positions where where[] has ones, in
     * order, low bits first, into out (with slack), and return their number.
     * Only the words index[0..n) are used.  Unused bits of the last byte are
     * 0. */
    size_t (*select)(uint8_t *out, const uint64_t *from,
                     const uint64_t *where, const uint32_t *index, size_t n);

    /* Write the column of each one in the words map[at[i]], i < n (if at is
     * NULL: map[i]), and return their number.  The column is 64 * number[i] +
     * bit (if number is NULL: 64 * i + bit).  out has slack. */
    size_t (*columns)(uint32_t *out, const uint64_t *map, const uint32_t *at,
                      const uint32_t *number, size_t n);

    /* Pack n 16-bit codes into one or two bytes each: bit i of which[] (with
     * slack) says whether codes[i] > 255; data (with slack) gets the bytes.
     * codes[] has slack of zeros.  Return the end of the data. */
    uint8_t *(*pack)(uint8_t *which, uint8_t *data, const uint16_t *codes,
                     size_t n);

    /* ---- reading rows ---- */

    /* Unpack n codes from which[] and data, the inverse of pack().  Both
     * inputs and codes[] have slack.  Return false if a code of two bytes is
     * at most 255. */
    bool (*unpack)(uint16_t *codes, const uint8_t *which,
                   const uint8_t *data, size_t n);

    /* Copy bits of a packed string, beginning with bit *at, to the positions
     * of out at which where[] has ones; all other bits of out are 0.  *at is
     * moved past the copied bits.  bits[] has slack. */
    void (*spread)(uint64_t *out, const uint8_t *bits, size_t *at,
                   const uint64_t *where, size_t words);

    /* Set out[i] to columns[i] and its count, which is at bit i of the
     * planes. */
    void (*entries)(struct entry *out, const uint32_t *columns,
                    const uint64_t *planes, size_t stride, unsigned bits,
                    size_t n);

    /* Write an entry for each one in the words where[index[i]], i < n: its
     * column is 64 * number[i] + bit, its count is at the same bit of the
     * planes, of which there are at most 8.  out has slack.  NULL if this is
     * not faster than select(), columns() and entries(). */
    void (*expand)(struct entry *out, const uint64_t *where,
                   const uint64_t *planes, size_t stride, unsigned bits,
                   const uint32_t *index, const uint32_t *number, size_t n);
};

extern const struct kernels kernel_scalar;
extern const struct kernels kernel_avx2, kernel_avx512; /* not usable() on other
                                                         * CPUs */

/* Return the table with this name; if name is NULL, the fastest one that this
 * CPU supports.  NULL and an error if the name is unknown or the CPU does not
 * support the table. */
const struct kernels *kernel_find(const char *name, struct cooc_err *err);

#endif
