/* radix.h - radix sort of records with an integer key.
 *
 *     #define POINT_KEY(p) ((p).x)
 *     DEFINE_RADIX_SORT(sort_points, struct point, uint64_t, POINT_KEY)
 *
 * defines  static struct point *sort_points(from, to, n):  both arrays have
 * room for n records, and the returned one contains the result.  The sort is
 * stable.
 *
 * Cost       One pass to find the 8-bit digits that differ, then two passes
 *            per differing digit, least significant first.  Digits in which all
 *            keys agree, for small keys most digits, are skipped.
 */
#ifndef COOC_RADIX_H
#define COOC_RADIX_H

#include <stddef.h>
#include <stdint.h>

#define RADIX_BITS 8
#define RADIX_DIGITS (1u << RADIX_BITS)
#define RADIX_DIGIT(key, shift) ((key) >> (shift) & (RADIX_DIGITS - 1))

#define DEFINE_RADIX_SORT(name, record, integer, KEY)                        \
    static record *name(record *from, record *to, size_t n)                  \
    {                                                                        \
        integer differ = 0;                                                  \
                                                                             \
        for (size_t i = 1; i < n; i++)                                       \
            differ |= KEY(from[i]) ^ KEY(from[0]);                           \
        for (unsigned s = 0; s < sizeof(integer) * 8; s += RADIX_BITS) {     \
            size_t count[RADIX_DIGITS] = { 0 }, at = 0;                      \
            record *swap = from;                                             \
                                                                             \
            if (!RADIX_DIGIT(differ, s))                                     \
                continue;                                                    \
            for (size_t i = 0; i < n; i++)                                   \
                count[RADIX_DIGIT(KEY(from[i]), s)]++;                       \
            for (size_t d = 0; d < RADIX_DIGITS; d++) {                      \
                size_t c = count[d];                                         \
                count[d] = at;                                               \
                at += c;                                                     \
            }                                                                \
            for (size_t i = 0; i < n; i++)                                   \
                to[count[RADIX_DIGIT(KEY(from[i]), s)]++] = from[i];         \
            from = to;                                                       \
            to = swap;                                                       \
        }                                                                    \
        return from;                                                         \
    }

#endif
