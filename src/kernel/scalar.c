/* scalar.c - the inner loops in plain C: the reference. */
#define TARGET /* nothing that not every CPU has */
#include "kernel/loops.h"

#include "base/bytes.h"

static bool usable(void)
{
    return true;
}

/* Each bitmap ripples through the planes like a carry. */
static void add_up(uint64_t *planes, unsigned bits,
                   const uint64_t *const *maps, size_t n, size_t words)
{
    memset(planes, 0, bits * words * sizeof *planes);
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < words; w++) {
            uint64_t carry = maps[i][w];

            for (uint64_t *p = planes + w; carry; p += words) {
                uint64_t both = *p & carry;

                *p ^= carry;
                carry = both;
            }
        }
}

static size_t select_bits(uint8_t *out, const uint64_t *from,
                          const uint64_t *where, const uint16_t *index,
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

const struct kernels kernel_scalar = {
    .name = "scalar",
    .usable = usable,
    .add_up = add_up,
    .finish = finish,
    .nonzero = nonzero,
    .select = select_bits,
    .ones = ones,
    .block_ones = block_ones,
};
