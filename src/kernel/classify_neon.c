/* classify_neon.c - classify 16 bytes at once with table lookups.
 *
 * The same two lookups per class as in classify_avx2.c.  NEON has no
 * instruction that collects one bit per byte: each byte keeps the bit of its
 * position, and pairwise additions combine eight bytes into one.
 */
#include "kernel/classify.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define VECTORS (WINDOW / 16)

static bool usable(void)
{
    return true;
}

/* Bit i of the result: byte i of the window x is 0xff (not 0). */
static inline uint64_t bits(const uint8x16_t *x)
{
    static const uint8_t position[16] = { 1, 2, 4, 8, 16, 32, 64, 128,
                                          1, 2, 4, 8, 16, 32, 64, 128 };
    const uint8x16_t p = vld1q_u8(position);
    uint8x16_t a = vpaddq_u8(vandq_u8(x[0], p), vandq_u8(x[1], p));
    uint8x16_t b = vpaddq_u8(vandq_u8(x[2], p), vandq_u8(x[3], p));

    a = vpaddq_u8(a, b);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(a, a)), 0);
}

static inline uint8x16_t lowercase(uint8x16_t x)
{
    uint8x16_t capital = vandq_u8(vcgeq_u8(x, vdupq_n_u8('A')),
                                  vcleq_u8(x, vdupq_n_u8('Z')));

    return vorrq_u8(x, vandq_u8(capital, vdupq_n_u8(0x20)));
}

static void classify(const struct byte_classes *c, const char *text,
                     size_t windows, char *folded, uint64_t (*masks)[CLASSES])
{
    static const uint8_t single[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
    const uint8x16_t sets = vld1q_u8(single);

    for (size_t w = 0; w < windows; w++) {
        const uint8_t *in = (const uint8_t *)text + w * WINDOW;
        uint8_t *out = (uint8_t *)folded + w * WINDOW;
        uint8x16_t x[VECTORS], low[VECTORS], set[VECTORS], is[VECTORS];

        for (unsigned i = 0; i < VECTORS; i++) {
            x[i] = vld1q_u8(in + 16 * i);
            low[i] = vandq_u8(x[i], vdupq_n_u8(15));
            set[i] = vqtbl1q_u8(sets, vshrq_n_u8(x[i], 4));
            is[i] = vcgeq_u8(x[i], vdupq_n_u8(0x80));
            vst1q_u8(out + 16 * i, c->lower ? lowercase(x[i]) : x[i]);
        }
        uint64_t above = bits(is);

        for (unsigned k = 0; k < CLASSES; k++) {
            const uint8x16_t row = vld1q_u8(c->rows[k]);

            for (unsigned i = 0; i < VECTORS; i++)
                is[i] = vtstq_u8(vqtbl1q_u8(row, low[i]), set[i]);
            masks[w][k] = bits(is);
        }
        masks[w][c->high] |= above;
    }
}

const struct classifier classifier_neon = { "neon", usable, classify };

#else

static bool usable(void)
{
    return false;
}

const struct classifier classifier_neon = { "neon", usable, 0 };

#endif
