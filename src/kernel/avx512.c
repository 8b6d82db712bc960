/* avx512.c - the inner loops with AVX-512 (F and VL), AVX2 and BMI2.
 *
 * AVX-512 computes any function of three bits in one instruction, so the adder
 * takes two instructions instead of five.  Vectors have 256 bits as in avx2.c.
 */
#include "kernel/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET \
    __attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512vl")))

/* Truth tables of three inputs, for ternarylogic. */
#define ODD 0x96      /* one or three of them are 1 */
#define MAJORITY 0xe8 /* two or three of them are 1 */

TARGET static inline __m256i add(__m256i *sum, __m256i a, __m256i b)
{
    __m256i carry = _mm256_ternarylogic_epi64(*sum, a, b, MAJORITY);

    *sum = _mm256_ternarylogic_epi64(*sum, a, b, ODD);
    return carry;
}

#include "kernel/vectors.h"

static bool usable(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

const struct kernels kernel_avx512 = { .name = "avx512", KERNEL_LOOPS };

#else

static bool usable(void)
{
    return false;
}

const struct kernels kernel_avx512 = { .name = "avx512", .usable = usable };

#endif
