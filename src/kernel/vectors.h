/* vectors.h - the inner loops with vectors of 256 bits, for AVX2 and AVX-512.
 *
 * avx2.c and avx512.c include this file once, after defining TARGET, which says
 * which instructions the compiler may use, and a carry-save adder:
 *
 *     __m256i add(__m256i *sum, __m256i a, __m256i b)
 *         *sum + a + b equals the new *sum + 2 * the result
 *
 * Each also defines entries(), and avx512.c its own word_columns().
 *
 * Adding bitmaps.  The adder reduces three bits per column to two, a sum and a
 * carry, for 256 columns.  Seven adders add eight bitmaps to the planes of
 * weight 1, 2 and 4 and leave one carry of weight 8, which ripples through the
 * higher planes:
 *
 *     bitmaps 0 to 7  ->  four adders into plane 0  ->  four carries
 *                         two adders into plane 1   ->  two carries
 *                         one adder into plane 2    ->  one carry of weight 8
 *
 * The time does not depend on the number of ones.
 */
#ifndef COOC_VECTORS_H
#define COOC_VECTORS_H

#include <immintrin.h>

#include "kernel/loops.h"

#define FETCH 32   /* words to prefetch ahead: the bitmaps exceed the cache */
#define CHUNK 128u /* bitmaps added in one pass over the columns */

TARGET static inline __m256i load(const uint64_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

TARGET static inline void store(uint64_t *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, x);
}

/* Add a carry to plane j and let it ripple through the higher planes. */
TARGET static inline void ripple(uint64_t *planes, size_t words, unsigned j,
                                 __m256i carry)
{
    for (; !_mm256_testz_si256(carry, carry); j++) {
        __m256i p = load(planes + j * words);

        store(planes + j * words, _mm256_xor_si256(p, carry));
        carry = _mm256_and_si256(p, carry);
    }
}

/* Add n <= CHUNK bitmaps to the planes of the 256 columns that begin at word
 * w.  more: the planes already contain a sum. */
TARGET static void add_columns(uint64_t *planes, size_t stride, unsigned bits,
                               const struct bitmap *maps, size_t n,
                               size_t w, bool more)
{
    __m256i one = _mm256_setzero_si256(), two = one, four = one;
    size_t i = 0;

    if (!more) {
        for (unsigned j = 3; j < bits; j++)
            store(planes + j * stride + w, one);
    } else { /* more than CHUNK bitmaps, so there are at least 8 planes */
        one = load(planes + w);
        two = load(planes + stride + w);
        four = load(planes + 2 * stride + w);
    }
    for (; i + 8 <= n; i += 8) {
        __m256i a, b, c, d;

        for (size_t k = 0; k < 8 && !(w & 4); k++) /* one per cache line */
            __builtin_prefetch(maps[i + k].at + w + FETCH);
        a = add(&one, load(maps[i].at + w), load(maps[i + 1].at + w));
        b = add(&one, load(maps[i + 2].at + w), load(maps[i + 3].at + w));
        c = add(&two, a, b);
        a = add(&one, load(maps[i + 4].at + w), load(maps[i + 5].at + w));
        b = add(&one, load(maps[i + 6].at + w), load(maps[i + 7].at + w));
        d = add(&two, a, b);
        ripple(planes + w, stride, 3, add(&four, c, d));
    }
    for (; i < n; i++) {
        __m256i x = load(maps[i].at + w), y;

        y = _mm256_and_si256(one, x);
        one = _mm256_xor_si256(one, x);
        x = _mm256_and_si256(two, y);
        two = _mm256_xor_si256(two, y);
        y = _mm256_and_si256(four, x);
        four = _mm256_xor_si256(four, x);
        if (bits > 3)
            ripple(planes + w, stride, 3, y);
    }
    store(planes + w, one);
    store(planes + stride + w, two);
    if (bits > 2)
        store(planes + 2 * stride + w, four);
}

/* The sum of two bitmaps, the most common case. */
TARGET static void add_two(uint64_t *planes, size_t stride,
                           const struct bitmap *maps, size_t words)
{
    size_t w = 0;

    for (; w < words && w < maps[1].words; w += 4) {
        __m256i a = load(maps[0].at + w), b = load(maps[1].at + w);

        store(planes + w, _mm256_xor_si256(a, b));
        store(planes + stride + w, _mm256_and_si256(a, b));
    }
    for (; w < words; w += 4) {
        const __m256i zero = _mm256_setzero_si256();

        store(planes + w, w < maps[0].words ? load(maps[0].at + w) : zero);
        store(planes + stride + w, zero);
    }
}

/* Bitmaps are processed in chunks, so that cache lines that were loaded for the
 * first columns of a chunk are still in the cache for the next ones. */
TARGET static void add_up(uint64_t *planes, size_t stride, unsigned bits,
                          const struct bitmap *maps, size_t n, size_t words,
                          bool more)
{
    if (n == 2 && !more) {
        add_two(planes, stride, maps, words);
        return;
    }
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t m = n - i < CHUNK ? n - i : CHUNK;

        for (size_t w = 0; w < words; w += 4) {
            while (m && maps[i + m - 1].words <= w)
                m--;
            if (!m && (more || i))
                break;
            add_columns(planes, stride, bits, maps + i, m, w, more || i);
        }
    }
}

TARGET static void unite(uint64_t *out, const struct bitmap *maps, size_t n,
                         size_t words)
{
    for (size_t w = 0; w < words; w += 4) {
        __m256i all = _mm256_setzero_si256();

        while (n && maps[n - 1].words <= w)
            n--;
        for (size_t i = 0; i < n; i++)
            all = _mm256_or_si256(all, load(maps[i].at + w));
        store(out + w, all);
    }
}

/* Bit j of 32 bytes: shift it to the top bit of each byte, then collect the top
 * bits. */
TARGET static void take_bytes(uint64_t *planes, size_t stride, unsigned bits,
                              uint8_t *counts, const uint32_t *number,
                              size_t n)
{
    const __m256i zero = _mm256_setzero_si256();

    for (size_t i = 0; i < n; i++) {
        __m256i *p = (__m256i *)(void *)(counts + (size_t)number[i] * 64);
        __m256i low = _mm256_loadu_si256(p), high = _mm256_loadu_si256(p + 1);

        for (unsigned j = 0; j < bits; j++) {
            int up = 7 - (int)j;
            __m256i a = _mm256_slli_epi16(low, up);
            __m256i b = _mm256_slli_epi16(high, up);

            planes[j * stride + i] =
                (uint32_t)_mm256_movemask_epi8(a) |
                (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
        }
        _mm256_storeu_si256(p, zero);
        _mm256_storeu_si256(p + 1, zero);
    }
}

TARGET static inline size_t ones4(const uint64_t *p)
{
    return (size_t)(_mm_popcnt_u64(p[0]) + _mm_popcnt_u64(p[1]) +
                    _mm_popcnt_u64(p[2]) + _mm_popcnt_u64(p[3]));
}

TARGET static size_t finish(uint64_t *at_least, const uint64_t *planes,
                            unsigned bits, size_t words, uint64_t *sum)
{
    size_t columns = 0;

    memset(at_least + bits * words, 0, words * sizeof *at_least);
    *sum = 0;
    for (unsigned j = bits; j-- > 0;) {
        size_t n = 0;

        for (size_t w = j * words; w < (j + 1) * words; w += 4) {
            store(at_least + w, _mm256_or_si256(load(at_least + w + words),
                                                load(planes + w)));
            n += ones4(planes + w);
        }
        *sum += (uint64_t)n << j;
    }
    for (size_t w = 0; w < words; w += 4)
        columns += ones4(at_least + w);
    return columns;
}

/* picks[mask]: the byte shuffle that moves those of four 32-bit numbers to the
 * front that have a 0 bit in the mask. */
#define PICK(a, b, c, d)                                                    \
    { 4 * a, 4 * a + 1, 4 * a + 2, 4 * a + 3, 4 * b, 4 * b + 1, 4 * b + 2,  \
      4 * b + 3, 4 * c, 4 * c + 1, 4 * c + 2, 4 * c + 3, 4 * d, 4 * d + 1,  \
      4 * d + 2, 4 * d + 3 }
static const uint8_t picks[16][16] = {
    PICK(0, 1, 2, 3), PICK(1, 2, 3, 3), PICK(0, 2, 3, 3), PICK(2, 3, 3, 3),
    PICK(0, 1, 3, 3), PICK(1, 3, 3, 3), PICK(0, 3, 3, 3), PICK(3, 3, 3, 3),
    PICK(0, 1, 2, 2), PICK(1, 2, 2, 2), PICK(0, 2, 2, 2), PICK(2, 2, 2, 2),
    PICK(0, 1, 1, 1), PICK(1, 1, 1, 1), PICK(0, 0, 0, 0), PICK(0, 0, 0, 0),
};

/* Without a branch, because it cannot be predicted which words are empty. */
TARGET static size_t nonzero(uint32_t *out, const uint64_t *map,
                             const uint32_t *among, size_t n)
{
    __m128i four = _mm_set1_epi32(4), numbers = _mm_setr_epi32(0, 1, 2, 3);
    size_t m = 0;

    for (size_t i = 0; among && i < n; i++) {
        out[m] = among[i];
        m += map[among[i]] != 0;
    }
    for (size_t w = 0; !among && w < n; w += 4) {
        __m256i empty = _mm256_cmpeq_epi64(load(map + w),
                                           _mm256_setzero_si256());
        int mask = _mm256_movemask_pd(_mm256_castsi256_pd(empty));
        __m128i pick = _mm_loadu_si128((const __m128i *)(const void *)
                                       picks[mask]);

        _mm_storeu_si128((__m128i *)(void *)(out + m),
                         _mm_shuffle_epi8(numbers, pick));
        m += (size_t)(4 - _mm_popcnt_u32((unsigned)mask));
        numbers = _mm_add_epi32(numbers, four);
    }
    return m;
}

/* Write eight bytes at a time, beginning with the byte that is not full yet.
 * The branch is taken only if the bits do not fit into these 64. */
TARGET static size_t select_bits(uint8_t *out, const uint64_t *from,
                                 const uint64_t *where,
                                 const uint32_t *index, size_t n)
{
    uint64_t begun = 0; /* bits of the byte that is not full yet */
    size_t done = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t mask = where[index[i]];
        uint64_t bits = _pext_u64(from[index[i]], mask), x;
        size_t fill = done & 7, end;

        x = begun | bits << fill;
        memcpy(out + done / 8, &x, 8);
        end = fill + (size_t)_mm_popcnt_u64(mask);
        if (__builtin_expect(end >= 64, 0))
            begun = fill ? bits >> (64 - fill) : 0;
        else
            begun = x >> (end & ~(size_t)7);
        done += end - fill;
    }
    memcpy(out + done / 8, &begun, 8);
    return done;
}

/* Return the mask of the bytes that four codes take; bit i of which says that
 * code i takes two bytes. */
TARGET static inline uint64_t code_bytes(uint64_t which)
{
    return 0x00ff00ff00ff00ff | _pdep_u64(which, 0x0100010001000100) * 0xff;
}

TARGET static uint8_t *pack(uint8_t *which, uint8_t *data,
                            const uint16_t *codes, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)
                                    (codes + i));
        __m128i two = _mm_cmpeq_epi16(_mm_srli_epi16(x, 8),
                                      _mm_setzero_si128());
        unsigned w = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(two, two));
        uint64_t low = (uint64_t)_mm_cvtsi128_si64(x), high;

        w = ~w & 0xff;
        high = (uint64_t)_mm_extract_epi64(x, 1);
        *which++ = (uint8_t)w;
        low = _pext_u64(low, code_bytes(w & 15));
        high = _pext_u64(high, code_bytes(w >> 4));
        memcpy(data, &low, 8);
        data += 4 + _mm_popcnt_u32(w & 15);
        memcpy(data, &high, 8);
        data += 4 + _mm_popcnt_u32(w >> 4);
    }
    return data - (-n & 7); /* the slack was packed as one byte per 0 */
}

TARGET static bool unpack(uint16_t *codes, const uint8_t *which,
                          const uint8_t *data, size_t n)
{
    const uint64_t low = 0x00ff00ff00ff00ff;
    uint64_t bad = 0;

    for (size_t i = 0; i < n; i += 4) {
        unsigned w = which[i / 8] >> (i & 4) & 15;
        uint64_t x;

        memcpy(&x, data, 8);
        x = _pdep_u64(x, code_bytes(w));
        memcpy(codes + i, &x, 8);
        data += 4 + _mm_popcnt_u32(w);
        x = (x >> 8 & low) + low; /* carries unless the high byte is 0 */
        bad |= (x ^ _pdep_u64(w, 0x0100010001000100)) & 0x0100010001000100;
    }
    return !bad;
}

TARGET static void spread(uint64_t *out, const uint8_t *bits, size_t *at,
                          const uint64_t *where, size_t words)
{
    size_t k = *at;

    for (size_t w = 0; w < words; w++) {
        uint64_t x;

        memcpy(&x, bits + k / 8, 8);
        x = x >> k % 8 | (uint64_t)bits[k / 8 + 8] << 1 << (63 - k % 8);
        out[w] = _pdep_u64(x, where[w]);
        k += (size_t)_mm_popcnt_u64(where[w]);
    }
    *at = k;
}

#endif
