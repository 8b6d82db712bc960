/* avx2.c - the inner loops with AVX2 and BMI2.
 *
 * Cost.  Five operations per bitmap and 256 columns, nearly all of them for the
 * adder.
 */
#include "kernel/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

TARGET static inline __m256i add(__m256i *sum, __m256i a, __m256i b)
{
    __m256i some = _mm256_xor_si256(*sum, a);
    __m256i carry = _mm256_or_si256(_mm256_and_si256(*sum, a),
                                    _mm256_and_si256(some, b));

    *sum = _mm256_xor_si256(some, b);
    return carry;
}

#include "kernel/vectors.h"

/* Eight entries at a time; each lane tests its own bit of the plane. */
TARGET static void entries(struct entry *out, const uint32_t *column,
                           const uint64_t *planes, size_t stride,
                           unsigned bits, size_t n)
{
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    for (size_t i = 0; i < n; i += 8) {
        __m256i terms = _mm256_loadu_si256((const __m256i *)(const void *)
                                           (column + i));
        __m256i count = _mm256_setzero_si256(), a, b;
        __m256i *to = (__m256i *)(void *)(out + i);

        for (unsigned j = 0; j < bits; j++) {
            int byte = (int)(planes[j * stride + i / 64] >> i % 64 & 0xff);
            __m256i x = _mm256_and_si256(_mm256_set1_epi32(byte), own);

            x = _mm256_cmpeq_epi32(x, own);
            count = _mm256_or_si256(
                count, _mm256_and_si256(x, _mm256_set1_epi32((int)(1u << j))));
        }
        a = _mm256_unpacklo_epi32(terms, count);
        b = _mm256_unpackhi_epi32(terms, count);
        _mm256_storeu_si256(to, _mm256_permute2x128_si256(a, b, 0x20));
        _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(a, b, 0x31));
    }
}

static bool usable(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

const struct kernels kernel_avx2 = { .name = "avx2", KERNEL_LOOPS };

#else

static bool usable(void)
{
    return false;
}

const struct kernels kernel_avx2 = { .name = "avx2", .usable = usable };

#endif
