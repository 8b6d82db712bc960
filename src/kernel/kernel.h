/* kernel.h - the inner loops of counting and of rows, one table for each
 * kind of CPU.
 *
 * A bitmap is a row of 64-bit words, a bit a column.  Planes are a counter
 * for each column taken apart by bit position: bit c of plane j is bit j of
 * the count of column c.  Plane j stands at planes + j * stride.
 *
 * The scalar table is the reference; others must give the same bits.
 */
#ifndef COOC_KERNEL_H
#define COOC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"

#define KERNEL_SLACK 16 /* items that may be written behind an output */

struct kernels {
    const char *name;
    bool (*usable)(void); /* on this CPU */

    /* ---- counting ---- */

    /* planes = the sum of n > 1 bitmaps, column by column: bitmap i is the
     * `words` words, a multiple of 4, at maps + docs[i] * apart; n < 2^bits. */
    void (*add_up)(uint64_t *planes, size_t stride, unsigned bits,
                   const uint64_t *maps, size_t apart, const uint32_t *docs,
                   size_t n, size_t words);

    /* The planes of counters that are bytes, for n words of 64: word i is
     * that of counts[64 * number[i]] on.  Those counters become 0. */
    void (*take_bytes)(uint64_t *planes, size_t stride, unsigned bits,
                       uint8_t *counts, const uint32_t *number, size_t n);

    /* at_least[j], bits + 1 bitmaps of that many words each (a multiple of
     * 4): which columns count 2^j or more; the last is empty.  Returns how
     * many columns count at all, and in *sum the sum of all counts. */
    size_t (*finish)(uint64_t *at_least, const uint64_t *planes,
                     unsigned bits, size_t words, uint64_t *sum);

    /* How many ones there are. */
    size_t (*ones)(const uint64_t *map, size_t words);

    /* How many in each block of four words. */
    void (*block_ones)(uint16_t *counts, const uint64_t *map, size_t words);

    /* ---- writing rows ---- */

    /* Which words are not 0: their numbers, ascending, from among[0..n), or
     * from 0 .. n - 1, n a multiple of 4, if among is NULL; out may be
     * among.  How many. */
    size_t (*nonzero)(uint32_t *out, const uint64_t *map,
                      const uint32_t *among, size_t n);

    /* Pack the bits of from[] that stand where where[] has ones, in order,
     * low bits first, into out (with slack); only the words index[0..n) are
     * looked at.  Bits behind them in the last byte are 0.  How many. */
    size_t (*select)(uint8_t *out, const uint64_t *from,
                     const uint64_t *where, const uint32_t *index, size_t n);

    /* The columns of the ones of map[at[0..n)] (at NULL: of map[0..n)),
     * whose words have these numbers (NULL: 0 .. n - 1): 64 * number + bit.
     * Out has slack.  How many. */
    size_t (*columns)(uint32_t *out, const uint64_t *map, const uint32_t *at,
                      const uint32_t *number, size_t n);

    /* Codes of 16 bits in one byte or two: bit i of which[] (with slack)
     * says whether codes[i] > 255, data (with slack) has their bytes.
     * codes[] has slack, of zeros.  Returns the end of the data. */
    uint8_t *(*pack)(uint8_t *which, uint8_t *data, const uint16_t *codes,
                     size_t n);

    /* ---- reading rows ---- */

    /* The other way round.  Both inputs and codes[] have slack.  False if
     * a code in two bytes is no greater than 255. */
    bool (*unpack)(uint16_t *codes, const uint8_t *which,
                   const uint8_t *data, size_t n);

    /* Spread the bits of a packed string, from bit *at on, which is moved
     * behind them, to where where[] has ones.  bits[] has slack. */
    void (*spread)(uint64_t *out, const uint8_t *bits, size_t *at,
                   const uint64_t *where, size_t words);

    /* entries[i] = columns[i] and its count, bit i of the planes. */
    void (*entries)(struct entry *out, const uint32_t *columns,
                    const uint64_t *planes, size_t stride, unsigned bits,
                    size_t n);
};

extern const struct kernels kernel_scalar;
extern const struct kernels kernel_avx2; /* usable() is false elsewhere */

/* The table of that name, for NULL the best that this CPU has; NULL and an
 * error if there is none of that name or the CPU cannot. */
const struct kernels *kernel_find(const char *name, struct cooc_err *err);

#endif
