/* kernel.h - the inner loops of bit-scan, one table for each kind of CPU.
 *
 * A bitmap is a row of 64-bit words, a bit a column; the number of words is
 * a multiple of 4.  Planes are a counter for each column taken apart by bit
 * position: bit c of plane j is bit j of the count of column c.  Planes
 * stand one after the other, each `words` long.
 *
 * The scalar table is the reference; others must give the same bits.
 */
#ifndef COOC_KERNEL_H
#define COOC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;

struct kernels {
    const char *name;
    bool (*usable)(void); /* on this CPU */

    /* planes = the sum of n bitmaps, column by column; n < 2^bits. */
    void (*add_up)(uint64_t *planes, unsigned bits,
                   const uint64_t *const *maps, size_t n, size_t words);

    /* at_least[j], bits + 1 bitmaps: which columns count 2^j or more; the
     * last is empty.  Columns at and behind `columns` are cleared in planes
     * first.  Returns how many columns count at all. */
    size_t (*finish)(uint64_t *at_least, uint64_t *planes, unsigned bits,
                     size_t words, size_t columns);

    /* Which words are not 0: their numbers, ascending, from among[0..n), or
     * from 0 .. n - 1 if among is NULL; out may be among.  How many. */
    size_t (*nonzero)(uint16_t *out, const uint64_t *map,
                      const uint16_t *among, size_t n);

    /* Pack the bits of from[] that stand where where[] has ones, in order,
     * low bits first, into out, which has room for 16 bytes more than they
     * need; only the words index[0..n) are looked at.  Bits behind them in
     * the last byte are 0.  Returns how many. */
    size_t (*select)(uint8_t *out, const uint64_t *from,
                     const uint64_t *where, const uint16_t *index, size_t n);

    /* How many ones there are. */
    size_t (*ones)(const uint64_t *map, size_t words);

    /* How many in each block of four words; returns the sum. */
    size_t (*block_ones)(uint16_t *counts, const uint64_t *map,
                         size_t words);
};

extern const struct kernels kernel_scalar;
extern const struct kernels kernel_avx2; /* usable() is false elsewhere */

/* The table of that name, for NULL the best that this CPU has; NULL and an
 * error if there is none of that name or the CPU cannot. */
const struct kernels *kernel_find(const char *name, struct cooc_err *err);

#endif
