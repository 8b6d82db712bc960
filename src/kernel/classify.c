/* classify.c - the reference for classifying bytes, and the choice of the
 * fastest function.
 *
 * Eight bytes have eight flags each: a matrix of 8 x 8 bits.  Its transpose has
 * one byte per class.
 */
#include "kernel/classify.h"

#include <string.h>

#include "base/bytes.h"

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

void byte_classes_complete(struct byte_classes *c)
{
    memset(c->rows, 0, sizeof c->rows);
    for (unsigned b = 0; b < 0x80; b++)
        for (unsigned k = 0; k < CLASSES; k++)
            if (c->of[b] >> k & 1)
                c->rows[k][b % 16] |= (uint8_t)(1u << b / 16);
    memset(c->of + 0x80, (int)(1u << c->high), 0x80);
}

/* Exchange bit k of byte i with bit i of byte k: first within blocks of 2 x 2
 * bits, then of 4 x 4 and 8 x 8. */
static inline uint64_t transpose(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);

    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ t ^ t << 28;
}

/* Lowercase eight bytes.  Each sum stays below 0x100, so no byte carries into
 * the next. */
static inline uint64_t lowercase(uint64_t x)
{
    uint64_t seven = x & EACH(0x7f);
    uint64_t capital = (seven + EACH(0x80 - 'A')) &
                       ~(seven + EACH(0x80 - 'Z' - 1)) & ~x & EACH(0x80);

    return x | capital >> 2; /* 0x80 >> 2 is 0x20 */
}

static void classify(const struct byte_classes *c, const char *text,
                     size_t windows, char *folded, uint64_t (*masks)[CLASSES])
{
    memset(masks, 0, windows * sizeof *masks);
    for (size_t w = 0; w < windows; w++)
        for (unsigned i = 0; i < WINDOW; i += 8) {
            uint64_t x = get_le64(text + w * WINDOW + i), flags = 0;

            for (unsigned k = 0; k < 8; k++)
                flags |= (uint64_t)c->of[x >> 8 * k & 0xff] << 8 * k;
            flags = transpose(flags);
            for (unsigned k = 0; k < CLASSES; k++)
                masks[w][k] |= (flags >> 8 * k & 0xff) << i;
            put_le64(folded + w * WINDOW + i, c->lower ? lowercase(x) : x);
        }
}

static bool always(void)
{
    return true;
}

const struct classifier classifier_scalar = { "scalar", always, classify };

classify_fn *classify_best(void)
{
    static const struct classifier *const all[] = {
        &classifier_avx2, &classifier_neon, &classifier_scalar
    };
    size_t i = 0;

    while (!all[i]->usable())
        i++;
    return all[i]->classify;
}
