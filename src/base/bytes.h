/* bytes.h - integers as bytes, and byte order.
 *
 *     le32, le64   little-endian integers at any alignment
 *     varint       7 bits per byte, low bits first; the high bit of a byte
 *                  says that another byte follows: 300 is 0xac 0x02
 */
#ifndef COOC_BYTES_H
#define COOC_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VARINT_MAX 10 /* bytes of the longest 64-bit varint */

static inline uint32_t get_le32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return le32toh(v);
}

static inline uint64_t get_le64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return le64toh(v);
}

static inline void put_le32(void *p, uint32_t v)
{
    v = htole32(v);
    memcpy(p, &v, sizeof v);
}

static inline void put_le64(void *p, uint64_t v)
{
    v = htole64(v);
    memcpy(p, &v, sizeof v);
}

/* Write v at p, which must have room for VARINT_MAX bytes; return the end. */
static inline uint8_t *put_varint(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/* Read the varint at *p into *v and advance *p.  Never read at or after end.
 * Return false if the varint is truncated, exceeds 64 bits, or is longer than
 * necessary: each number has exactly one encoding. */
static inline bool get_varint(const uint8_t **p, const uint8_t *end,
                              uint64_t *v)
{
    uint64_t x = 0;
    const uint8_t *q = *p;

    for (unsigned shift = 0; q < end && shift < 64; shift += 7) {
        uint8_t b = *q++;

        if (shift == 63 && b > 1)
            return false;
        x |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) {
            if (b == 0 && shift)
                return false;
            *p = q;
            *v = x;
            return true;
        }
    }
    return false;
}

/* Compare a[0..n) and b[0..m) in byte order: negative, 0 or positive. */
static inline int bytes_compare(const void *a, size_t n, const void *b,
                                size_t m)
{
    int c = memcmp(a, b, n < m ? n : m);

    return c ? c : (n > m) - (n < m);
}

/* The number of bits of v without leading zeros; 0 for 0. */
static inline unsigned bit_length(uint64_t v)
{
    return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
