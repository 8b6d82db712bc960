/* utf8.h - decode, validate and repair UTF-8.
 *
 * Cost       ASCII is skipped 8 bytes at a time.
 */
#ifndef COOC_UTF8_H
#define COOC_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

#define UTF8_INVALID (-1)
#define UTF8_REPLACEMENT 0xfffd

/* Decode the code point at p < end and return its length in bytes.  For an
 * ill-formed sequence, *c is UTF8_INVALID and the result is the length of its
 * maximal subpart (Unicode, table 3-7), which one U+FFFD replaces. */
static inline size_t utf8_next(const uint8_t *p, const uint8_t *end, int32_t *c)
{
    uint8_t lead = p[0], low = 0x80, high = 0xbf;
    size_t n = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    int32_t v = lead & (0x7f >> n);

    if (lead < 0x80) {
        *c = lead;
        return 1;
    }
    *c = UTF8_INVALID;
    if (lead < 0xc2 || lead > 0xf4)
        return 1;
    if (lead == 0xe0)
        low = 0xa0; /* exclude overlong forms */
    else if (lead == 0xed)
        high = 0x9f; /* exclude surrogates */
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f; /* exclude code points above U+10FFFF */
    for (size_t i = 1; i < n; i++) {
        if (p + i == end || p[i] < low || p[i] > high)
            return i;
        v = v << 6 | (p[i] & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    *c = v;
    return n;
}

/* Whether text[0..len) is valid UTF-8. */
bool utf8_is_valid(const void *text, size_t len);

/* The number of bytes at the end of text[0..len) that begin a character but do
 * not complete it: 0 to 3. */
size_t utf8_cut(const void *text, size_t len);

/* Count the well-formed sequences of more than one byte, and the bytes that are
 * part of ill-formed sequences. */
struct utf8_tally {
    uint64_t wide, invalid;
};
struct utf8_tally utf8_count(const void *text, size_t len);

/* Append text[0..len) to out, with each ill-formed sequence replaced by U+FFFD.
 * Add the number of replaced bytes to *invalid. */
int utf8_repair(const char *text, size_t len, struct buf *out,
                uint64_t *invalid, struct cooc_err *err);

#endif
