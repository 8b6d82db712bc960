/* classify_avx2.c - classify 32 bytes at once with byte shuffles.
 *
 * A shuffle looks up 32 bytes in a table of 16, by their low four bits.  The
 * table of a class returns, for each low half, the set of high halves that
 * belong to it; a second shuffle turns the high half into such a set of one.
 * A byte is in the class if the two sets meet.
 *
 * Cost.  About 80 instructions per window, whatever the classes are.
 */
#include "kernel/classify.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

static bool usable(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

TARGET static inline __m256i both_lanes(const uint8_t *table)
{
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

TARGET static inline uint64_t bits(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* The set that contains the high half of each byte; empty above 0x7f. */
TARGET static inline __m256i high_half(__m256i x)
{
    const __m256i sets = _mm256_setr_epi8(
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);

    return _mm256_shuffle_epi8(
        sets, _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15)));
}

TARGET static inline __m256i lowercase(__m256i x)
{
    __m256i capital = _mm256_and_si256(
        _mm256_cmpgt_epi8(x, _mm256_set1_epi8('A' - 1)),
        _mm256_cmpgt_epi8(_mm256_set1_epi8('Z' + 1), x));

    return _mm256_or_si256(
        x, _mm256_and_si256(capital, _mm256_set1_epi8(0x20)));
}

TARGET static void classify(const struct byte_classes *c, const char *text,
                            size_t windows, char *folded,
                            uint64_t (*masks)[CLASSES])
{
    __m256i rows[CLASSES];

    for (unsigned k = 0; k < CLASSES; k++)
        rows[k] = both_lanes(c->rows[k]);
    for (size_t w = 0; w < windows; w++) {
        const __m256i *in = (const __m256i *)(const void *)(text + w * WINDOW);
        __m256i *out = (__m256i *)(void *)(folded + w * WINDOW);
        __m256i x = _mm256_loadu_si256(in), y = _mm256_loadu_si256(in + 1);
        __m256i xs = high_half(x), ys = high_half(y);
        uint64_t above = bits(x, y); /* above 0x7f */

        for (unsigned k = 0; k < CLASSES; k++) {
            __m256i xk = _mm256_and_si256(_mm256_shuffle_epi8(rows[k], x), xs);
            __m256i yk = _mm256_and_si256(_mm256_shuffle_epi8(rows[k], y), ys);

            masks[w][k] = bits(_mm256_cmpeq_epi8(xk, xs),
                               _mm256_cmpeq_epi8(yk, ys)) & ~above;
        }
        masks[w][c->high] |= above;
        if (c->lower) {
            x = lowercase(x);
            y = lowercase(y);
        }
        _mm256_storeu_si256(out, x);
        _mm256_storeu_si256(out + 1, y);
    }
}

const struct classifier classifier_avx2 = { "avx2", usable, classify };

#else

static bool usable(void)
{
    return false;
}

const struct classifier classifier_avx2 = { "avx2", usable, 0 };

#endif
