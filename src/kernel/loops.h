/* loops.h - inner loops with the same source code in every kernel.
 *
 * Each kernel includes this file once, after defining TARGET, which says which
 * instructions the compiler may use for these functions.  A kernel with a
 * faster word_columns() defines OWN_WORD_COLUMNS and its function before that.
 */
#ifndef COOC_LOOPS_H
#define COOC_LOOPS_H

#ifndef TARGET
#error "define TARGET before including this"
#endif

#include <string.h>

#include "kernel/kernel.h"

TARGET static size_t ones(const uint64_t *map, size_t words)
{
    size_t n = 0;

    for (size_t w = 0; w < words; w++)
        n += (size_t)__builtin_popcountll(map[w]);
    return n;
}

TARGET static void block_ones(uint16_t *counts, const uint64_t *map,
                              size_t words)
{
    for (size_t w = 0; w < words; w += 4)
        counts[w / 4] = (uint16_t)ones(map + w, 4);
}

#ifndef OWN_WORD_COLUMNS
/* Write four columns at a time even if there are fewer ones: the number of ones
 * cannot be predicted, but it is rarely above four. */
TARGET static inline size_t word_columns(uint32_t *out, uint64_t word,
                                         uint32_t base)
{
    const uint64_t end = (uint64_t)1 << 63; /* ctz(0) is undefined */
    size_t n = (size_t)__builtin_popcountll(word);

    for (size_t i = 0; i < n; i += 4)
        for (size_t k = 0; k < 4; k++) {
            out[i + k] = base + (uint32_t)__builtin_ctzll(word | end);
            word &= word - 1;
        }
    return n;
}
#endif

TARGET static size_t columns(uint32_t *out, const uint64_t *map,
                             const uint32_t *at, const uint32_t *number,
                             size_t n)
{
    size_t m = 0;

    if (at)
        for (size_t i = 0; i < n; i++)
            m += word_columns(out + m, map[at[i]], number[i] * 64);
    else
        for (size_t i = 0; i < n; i++)
            m += word_columns(out + m, map[i],
                              (number ? number[i] : (uint32_t)i) * 64);
    return m;
}

/* The fields of a table: each is a function of the including file. */
#define KERNEL_LOOPS                                                           \
    .usable = usable, .add_up = add_up, .unite = unite,                        \
    .take_bytes = take_bytes,                                                  \
    .finish = finish, .ones = ones, .block_ones = block_ones,                  \
    .nonzero = nonzero, .select = select_bits, .columns = columns,             \
    .pack = pack, .unpack = unpack, .spread = spread, .entries = entries

#endif
