/* sort.c - radix sort of integers. */
#include "base/sort.h"

#include <string.h>

#define DIGIT 8
#define RADIX (1u << DIGIT)
#define SMALL 48 /* below this, insertion wins */

void sort_u32(uint32_t *keys, uint32_t *tmp, size_t n)
{
    uint32_t *from = keys, *to = tmp, differ = 0;

    if (n < SMALL) {
        for (size_t i = 1; i < n; i++) {
            uint32_t k = keys[i];
            size_t j = i;

            for (; j > 0 && keys[j - 1] > k; j--)
                keys[j] = keys[j - 1];
            keys[j] = k;
        }
        return;
    }
    for (size_t i = 1; i < n; i++)
        differ |= keys[i] ^ keys[0];
    for (unsigned shift = 0; shift < 32; shift += DIGIT) {
        size_t count[RADIX] = { 0 }, at = 0;

        if (!(differ >> shift & (RADIX - 1)))
            continue;
        for (size_t i = 0; i < n; i++)
            count[from[i] >> shift & (RADIX - 1)]++;
        for (size_t d = 0; d < RADIX; d++) {
            size_t c = count[d];
            count[d] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++)
            to[count[from[i] >> shift & (RADIX - 1)]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, n * sizeof *keys);
}

void sort_u64(uint64_t *keys, uint64_t *tmp, size_t n)
{
    uint64_t *from = keys, *to = tmp, differ = 0;

    for (size_t i = 1; i < n; i++)
        differ |= keys[i] ^ keys[0];
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        size_t count[RADIX] = { 0 }, at = 0;

        if (!(differ >> shift & (RADIX - 1)))
            continue;
        for (size_t i = 0; i < n; i++)
            count[from[i] >> shift & (RADIX - 1)]++;
        for (size_t d = 0; d < RADIX; d++) {
            size_t c = count[d];
            count[d] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++)
            to[count[from[i] >> shift & (RADIX - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, n * sizeof *keys);
}
