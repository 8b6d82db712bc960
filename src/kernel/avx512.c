/* avx512.c - the inner loops with AVX-512 (F, BW, VL and VBMI2), AVX2 and BMI2.
 *
 * AVX-512 computes any function of three bits in one instruction, so the adder
 * takes two instructions instead of five.  Vectors of the adder have 256 bits
 * as in avx2.c.
 *
 * One instruction of VBMI2 moves the bytes that a mask of 64 bits selects to
 * the front of a vector.  Applied to the numbers 0 to 63, it gives the columns
 * of a word of a bitmap; applied to 64 counts, the counts of these columns.
 */
#include "kernel/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET                                                    \
    __attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw," \
                          "avx512vl,avx512vbmi2")))

/* Truth tables of three inputs, for ternarylogic. */
#define ODD 0x96      /* one or three of them are 1 */
#define MAJORITY 0xe8 /* two or three of them are 1 */

TARGET static inline __m256i add(__m256i *sum, __m256i a, __m256i b)
{
    __m256i carry = _mm256_ternarylogic_epi64(*sum, a, b, MAJORITY);

    *sum = _mm256_ternarylogic_epi64(*sum, a, b, ODD);
    return carry;
}

static const uint8_t bytes_0_to_63[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
};

/* The columns of a word, as bytes. */
TARGET static inline __m512i byte_columns(uint64_t word)
{
    return _mm512_maskz_compress_epi8(word,
                                      _mm512_loadu_si512(bytes_0_to_63));
}

/* Write 16 columns at a time. */
TARGET static inline size_t word_columns(uint32_t *out, uint64_t word,
                                         uint32_t base)
{
    __m512i bytes = byte_columns(word), zero = _mm512_setzero_si512();
    size_t n = (size_t)_mm_popcnt_u64(word);

    for (size_t i = 0; i < n; i += 16) {
        __m512i x = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes));

        x = _mm512_add_epi32(x, _mm512_set1_epi32((int)base));
        _mm512_storeu_si512(out + i, x);
        bytes = _mm512_alignr_epi64(zero, bytes, 2);
    }
    return n;
}

#define OWN_WORD_COLUMNS
#include "kernel/vectors.h"

/* Write 16 entries. */
TARGET static inline void store_entries(struct entry *out, __m512i terms,
                                        __m512i counts)
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512i a = _mm512_unpacklo_epi32(terms, counts);
    __m512i b = _mm512_unpackhi_epi32(terms, counts);

    _mm512_storeu_si512(out, _mm512_permutex2var_epi64(a, low, b));
    _mm512_storeu_si512(out + 8, _mm512_permutex2var_epi64(a, high, b));
}

/* The bits of a plane select the lanes to which its weight is added. */
TARGET static void entries(struct entry *out, const uint32_t *column,
                           const uint64_t *planes, size_t stride,
                           unsigned bits, size_t n)
{
    for (size_t i = 0; i < n; i += 16) {
        __m512i counts = _mm512_setzero_si512();

        for (unsigned j = 0; j < bits; j++) {
            uint64_t plane = planes[j * stride + i / 64] >> i % 64;

            counts = _mm512_mask_or_epi32(counts, (__mmask16)plane, counts,
                                          _mm512_set1_epi32((int)(1u << j)));
        }
        store_entries(out + i, _mm512_loadu_si512(column + i), counts);
    }
}

/* Eight entries of 8 bytes at a time: few words have more ones. */
TARGET static void expand(struct entry *out, const uint64_t *where,
                          const uint64_t *planes, size_t stride, unsigned bits,
                          const uint32_t *index, const uint32_t *number,
                          size_t n)
{
    const __m512i zero = _mm512_setzero_si512();

    for (size_t i = 0; i < n; i++) {
        uint64_t word = where[index[i]];
        const uint64_t *plane = planes + index[i];
        __m512i base = _mm512_set1_epi64((long long)number[i] * 64);
        __m512i columns = byte_columns(word), counts = zero;
        size_t ones = (size_t)_mm_popcnt_u64(word);

        for (unsigned j = 0; j < bits; j++)
            counts = _mm512_mask_add_epi8(counts, plane[j * stride], counts,
                                          _mm512_set1_epi8((char)(1u << j)));
        counts = _mm512_maskz_compress_epi8(word, counts);
        for (size_t k = 0; k < ones; k += 8) {
            __m512i x = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(columns));
            __m512i y = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(counts));

            x = _mm512_add_epi64(x, base);
            _mm512_storeu_si512(out + k,
                                _mm512_or_si512(x, _mm512_slli_epi64(y, 32)));
            columns = _mm512_alignr_epi64(zero, columns, 1);
            counts = _mm512_alignr_epi64(zero, counts, 1);
        }
        out += ones;
    }
}

static bool usable(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

const struct kernels kernel_avx512 = { .name = "avx512", KERNEL_LOOPS,
                                        .expand = expand };

#else

static bool usable(void)
{
    return false;
}

const struct kernels kernel_avx512 = { .name = "avx512", .usable = usable };

#endif
