/* loops.h - inner loops that every kernel has in the same words.
 *
 * Included once by each kernel, which says in TARGET what instructions the
 * compiler may use for them; that is all the difference there is.
 */
#ifndef COOC_LOOPS_H
#define COOC_LOOPS_H

#ifndef TARGET
#error "define TARGET before including this"
#endif

#include <string.h>

#include "kernel/kernel.h"

TARGET static size_t finish(uint64_t *at_least, uint64_t *planes,
                            unsigned bits, size_t words, size_t columns)
{
    size_t n = 0;

    for (unsigned j = 0; j < bits && columns < words * 64; j++) {
        uint64_t *p = planes + j * words;

        p[columns / 64] &= ((uint64_t)1 << columns % 64) - 1;
        for (size_t w = columns / 64 + 1; w < words; w++)
            p[w] = 0;
    }
    memset(at_least + bits * words, 0, words * sizeof *at_least);
    for (unsigned j = bits; j-- > 0;)
        for (size_t w = 0; w < words; w++)
            at_least[j * words + w] = at_least[(j + 1) * words + w] |
                                      planes[j * words + w];
    for (size_t w = 0; w < words; w++)
        n += (size_t)__builtin_popcountll(at_least[w]);
    return n;
}

/* No branch: whether a word is empty cannot be foretold. */
TARGET static size_t nonzero(uint16_t *out, const uint64_t *map,
                             const uint16_t *among, size_t n)
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        uint16_t w = among ? among[i] : (uint16_t)i;

        out[m] = w;
        m += map[w] != 0;
    }
    return m;
}

TARGET static size_t ones(const uint64_t *map, size_t words)
{
    size_t n = 0;

    for (size_t w = 0; w < words; w++)
        n += (size_t)__builtin_popcountll(map[w]);
    return n;
}

TARGET static size_t block_ones(uint16_t *counts, const uint64_t *map,
                                size_t words)
{
    size_t n = 0;

    for (size_t w = 0; w < words; w += 4) {
        counts[w / 4] = (uint16_t)ones(map + w, 4);
        n += counts[w / 4];
    }
    return n;
}

#endif
