/* avx2.c - the inner loops with AVX2 and BMI2: 256 columns at once.
 *
 * Adding up.  A carry-save adder takes three numbers of one bit each, in 256
 * columns, and gives their sum as two, in five operations.  Seven of them add
 * eight bitmaps to the planes of weight 1, 2 and 4 and leave one carry of
 * weight 8, which ripples up; so a bitmap costs about five operations,
 * whatever its number of ones.
 */
#include "kernel/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#include "kernel/loops.h"

static bool usable(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

TARGET static inline __m256i load(const uint64_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

TARGET static inline void store(uint64_t *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, x);
}

/* *sum + a + b = *sum (new) + 2 * carry */
TARGET static inline __m256i add(__m256i *sum, __m256i a, __m256i b)
{
    __m256i some = _mm256_xor_si256(*sum, a);
    __m256i carry = _mm256_or_si256(_mm256_and_si256(*sum, a),
                                    _mm256_and_si256(some, b));

    *sum = _mm256_xor_si256(some, b);
    return carry;
}

/* Let a carry into plane j ripple up as far as it goes. */
TARGET static inline void ripple(uint64_t *planes, size_t words, unsigned j,
                                 __m256i carry)
{
    for (; !_mm256_testz_si256(carry, carry); j++) {
        __m256i p = load(planes + j * words);

        store(planes + j * words, _mm256_xor_si256(p, carry));
        carry = _mm256_and_si256(p, carry);
    }
}

/* All bitmaps for the 256 columns from word w on. */
TARGET static void add_columns(uint64_t *planes, unsigned bits,
                               const uint64_t *const *maps, size_t n,
                               size_t words, size_t w)
{
    __m256i one = _mm256_setzero_si256(), two = one, four = one;
    size_t i = 0;

    for (unsigned j = 0; j < bits; j++)
        store(planes + j * words + w, one);
    for (; i + 8 <= n; i += 8) {
        __m256i a = add(&one, load(maps[i] + w), load(maps[i + 1] + w));
        __m256i b = add(&one, load(maps[i + 2] + w), load(maps[i + 3] + w));
        __m256i c = add(&two, a, b), d;

        a = add(&one, load(maps[i + 4] + w), load(maps[i + 5] + w));
        b = add(&one, load(maps[i + 6] + w), load(maps[i + 7] + w));
        d = add(&two, a, b);
        ripple(planes + w, words, 3, add(&four, c, d));
    }
    for (; i < n; i++) {
        __m256i x = load(maps[i] + w), y;

        y = _mm256_and_si256(one, x);
        one = _mm256_xor_si256(one, x);
        x = _mm256_and_si256(two, y);
        two = _mm256_xor_si256(two, y);
        y = _mm256_and_si256(four, x);
        four = _mm256_xor_si256(four, x);
        if (bits > 3)
            ripple(planes + w, words, 3, y);
    }
    store(planes + w, one);
    if (bits > 1)
        store(planes + words + w, two);
    if (bits > 2)
        store(planes + 2 * words + w, four);
}

TARGET static void add_up(uint64_t *planes, unsigned bits,
                          const uint64_t *const *maps, size_t n, size_t words)
{
    if (n == 2) { /* the commonest row there is */
        for (size_t w = 0; w < words; w += 4) {
            __m256i a = load(maps[0] + w), b = load(maps[1] + w);

            store(planes + w, _mm256_xor_si256(a, b));
            store(planes + words + w, _mm256_and_si256(a, b));
        }
        return;
    }
    for (size_t w = 0; w < words; w += 4)
        add_columns(planes, bits, maps, n, words, w);
}

/* Eight bytes are written at once, from the byte that is not full yet; the
 * branch is taken only if 64 bits did not hold it all. */
TARGET static size_t select_bits(uint8_t *out, const uint64_t *from,
                                 const uint64_t *where,
                                 const uint16_t *index, size_t n)
{
    uint64_t begun = 0; /* the bits of the byte that is not full */
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

const struct kernels kernel_avx2 = {
    .name = "avx2",
    .usable = usable,
    .add_up = add_up,
    .finish = finish,
    .nonzero = nonzero,
    .select = select_bits,
    .ones = ones,
    .block_ones = block_ones,
};

#else

static bool usable(void)
{
    return false;
}

const struct kernels kernel_avx2 = { .name = "avx2", .usable = usable };

#endif
