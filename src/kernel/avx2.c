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
