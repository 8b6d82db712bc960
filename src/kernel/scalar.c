/* scalar.c - the inner loops in plain C: the reference. */
#include <string.h>

#include "base/bytes.h"
#include "kernel/kernel.h"

static bool usable(void)
{
    return true;
}

/* Each bitmap ripples through the planes like a carry. */
static void add_up(uint64_t *planes, unsigned bits,
                   const uint64_t *const *maps, size_t n, size_t words)
{
    memset(planes, 0, bits * words * sizeof *planes);
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < words; w++) {
            uint64_t carry = maps[i][w];

            for (uint64_t *p = planes + w; carry; p += words) {
                uint64_t both = *p & carry;

                *p ^= carry;
                carry = both;
            }
        }
}

static size_t finish(uint64_t *at_least, uint64_t *planes, unsigned bits,
                     size_t words, size_t columns)
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

static size_t nonzero(uint16_t *out, const uint64_t *map,
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

static size_t select_bits(uint8_t *out, const uint64_t *from,
                          const uint64_t *where, const uint16_t *index,
                          size_t n)
{
    uint64_t word = 0;
    size_t done = 0;

    for (size_t i = 0; i < n; i++)
        for (uint64_t left = where[index[i]]; left; left &= left - 1) {
            uint64_t bit = from[index[i]] >> __builtin_ctzll(left) & 1;

            word |= bit << done % 64;
            if (++done % 64 == 0) {
                put_le64(out + done / 8 - 8, word);
                word = 0;
            }
        }
    put_le64(out + done / 64 * 8, word);
    return done;
}

static size_t ones(const uint64_t *map, size_t words)
{
    size_t n = 0;

    for (size_t w = 0; w < words; w++)
        n += (size_t)__builtin_popcountll(map[w]);
    return n;
}

static size_t block_ones(uint16_t *counts, const uint64_t *map, size_t words)
{
    size_t n = 0;

    for (size_t w = 0; w < words; w += 4) {
        counts[w / 4] = (uint16_t)ones(map + w, 4);
        n += counts[w / 4];
    }
    return n;
}

const struct kernels kernel_scalar = {
    .name = "scalar",
    .usable = usable,
    .add_up = add_up,
    .finish = finish,
    .nonzero = nonzero,
    .select = select_bits,
    .ones = ones,
    .block_ones = block_ones,
};
