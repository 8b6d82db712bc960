/* bytes.h - integers as they stand in files: little-endian, any alignment,
 * and variable-length numbers of seven bits a byte, low bits first. */
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

/* Write v at p, which has VARINT_MAX bytes of room; returns the end. */
static inline uint8_t *put_varint(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/* Read a number at *p, not past end; false if it is cut off, too large, or
 * longer than it need be (every number has one spelling). */
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

/* Byte order: < 0, 0 or > 0 as a[0..n) is less than b[0..m), equal, greater. */
static inline int bytes_compare(const void *a, size_t n, const void *b,
                                size_t m)
{
    int c = memcmp(a, b, n < m ? n : m);

    return c ? c : (n > m) - (n < m);
}

static inline unsigned bit_length(uint64_t v)
{
    return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
