/* scalar.c - the inner loops in plain C, the reference for all kernels. */
#define TARGET /* only instructions that every CPU has */
#include "kernel/loops.h"

#include "base/bytes.h"

static bool usable(void)
{
    return true;
}

/* Add each bitmap to plane 0 and let the carries ripple through the planes. */
static void add_up(uint64_t *planes, size_t stride, unsigned bits,
                   const struct bitmap *maps, size_t n, size_t words,
                   bool more)
{
    for (unsigned j = 0; j < bits && !more; j++)
        memset(planes + j * stride, 0, words * sizeof *planes);
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < words && w < maps[i].words; w++) {
            uint64_t carry = maps[i].at[w];

            for (uint64_t *p = planes + w; carry; p += stride) {
                uint64_t both = *p & carry;

                *p ^= carry;
                carry = both;
            }
        }
}

static void unite(uint64_t *out, const struct bitmap *maps, size_t n,
                  size_t words)
{
    memset(out, 0, words * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < words && w < maps[i].words; w++)
            out[w] |= maps[i].at[w];
}

static void take_bytes(uint64_t *planes, size_t stride, unsigned bits,
                       uint8_t *counts, const uint32_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t *count = counts + (size_t)number[i] * 64;

        for (unsigned j = 0; j < bits; j++) {
            uint64_t plane = 0;

            for (unsigned c = 0; c < 64; c++)
                plane |= (uint64_t)(count[c] >> j & 1) << c;
            planes[j * stride + i] = plane;
        }
        memset(count, 0, 64);
    }
}

static size_t finish(uint64_t *at_least, const uint64_t *planes,
                     unsigned bits, size_t words, uint64_t *sum)
{
    memset(at_least + bits * words, 0, words * sizeof *at_least);
    *sum = 0;
    for (unsigned j = bits; j-- > 0;) {
        for (size_t w = j * words; w < (j + 1) * words; w++)
            at_least[w] = at_least[w + words] | planes[w];
        *sum += (uint64_t)ones(planes + j * words, words) << j;
    }
    return ones(at_least, words);
}

static size_t nonzero(uint32_t *out, const uint64_t *map,
                      const uint32_t *among, size_t n)
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t w = among ? among[i] : (uint32_t)i;

        out[m] = w;
        m += map[w] != 0;
    }
    return m;
}

static size_t select_bits(uint8_t *out, const uint64_t *from,
                          const uint64_t *where, const uint32_t *index,
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

static uint8_t *pack(uint8_t *which, uint8_t *data, const uint16_t *codes,
                     size_t n)
{
    memset(which, 0, (n + 7) / 8);
    for (size_t i = 0; i < n; i++) {
        *data++ = (uint8_t)codes[i];
        if (codes[i] > 255) {
            *data++ = (uint8_t)(codes[i] >> 8);
            which[i / 8] |= (uint8_t)(1u << i % 8);
        }
    }
    return data;
}

static bool unpack(uint16_t *codes, const uint8_t *which,
                   const uint8_t *data, size_t n)
{
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        codes[i] = *data++;
        if (which[i / 8] >> i % 8 & 1) {
            codes[i] |= (uint16_t)(*data++ << 8);
            good &= codes[i] > 255;
        }
    }
    return good;
}

static void spread(uint64_t *out, const uint8_t *bits, size_t *at,
                   const uint64_t *where, size_t words)
{
    size_t k = *at;

    for (size_t w = 0; w < words; w++) {
        out[w] = 0;
        for (uint64_t left = where[w]; left; left &= left - 1, k++)
            if (bits[k / 8] >> k % 8 & 1)
                out[w] |= left & -left;
    }
    *at = k;
}

static void entries(struct entry *out, const uint32_t *column,
                    const uint64_t *planes, size_t stride, unsigned bits,
                    size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t count = 0;

        for (unsigned j = 0; j < bits; j++)
            count |= (uint32_t)(planes[j * stride + i / 64] >> i % 64 & 1)
                     << j;
        out[i] = (struct entry){ .term = column[i], .count = count };
    }
}

const struct kernels kernel_scalar = { .name = "scalar", KERNEL_LOOPS };
