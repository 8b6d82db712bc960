/* utf8.c - find and replace ill-formed UTF-8. */
#include "base/utf8.h"

#include <string.h>

#include "base/buf.h"

/* Return the offset of the first byte at or after at that is not ASCII. */
static size_t skip_ascii(const char *text, size_t at, size_t len)
{
    while (len - at >= 8) {
        uint64_t w;

        memcpy(&w, text + at, sizeof w);
        if (w & 0x8080808080808080u)
            break;
        at += 8;
    }
    while (at < len && (signed char)text[at] >= 0)
        at++;
    return at;
}

/* Return the offset of the first byte at or after at that does not begin a
 * character of the most frequent ranges: U+0080..U+07FF, U+1000..U+CFFF. */
static size_t skip_common(const uint8_t *s, size_t at, size_t len)
{
    while (len - at >= 3) {
        const uint8_t *p = s + at;

        if (p[0] >= 0xc2 && p[0] < 0xe0 && (p[1] & 0xc0) == 0x80)
            at += 2;
        else if (p[0] > 0xe0 && p[0] < 0xed && (p[1] & 0xc0) == 0x80 &&
                 (p[2] & 0xc0) == 0x80)
            at += 3;
        else
            break;
    }
    return at;
}

/* Find the first invalid sequence at or after *at: set *at to its start and
 * return its end.  If there is none, both are len. */
static size_t find_invalid(const char *text, size_t *at, size_t len)
{
    const uint8_t *s = (const uint8_t *)text;

    while ((*at = skip_ascii(text, *at, len)) < len) {
        size_t n, common = skip_common(s, *at, len);
        int32_t c;

        if (common > *at) {
            *at = common;
            continue;
        }
        n = utf8_next(s + *at, s + len, &c);
        if (c == UTF8_INVALID)
            return *at + n;
        *at += n;
    }
    return len;
}

bool utf8_is_valid(const void *text, size_t len)
{
    size_t at = 0;

    find_invalid(text, &at, len);
    return at == len;
}

size_t utf8_cut(const void *text, size_t len)
{
    const uint8_t *s = text;

    for (size_t n = 1; n <= 3 && n <= len; n++) {
        uint8_t lead = s[len - n];
        uint8_t full[4] = { lead, 0x80, 0x80, 0x80 };
        size_t want = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        int32_t c;

        if (lead >= 0x80 && lead < 0xc0)
            continue; /* look for the first byte */
        if (lead < 0xc2 || lead > 0xf4 || n >= want)
            return 0;
        if (n == 1)
            full[1] = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        else
            memcpy(full + 1, s + len - n + 1, n - 1);
        utf8_next(full, full + 4, &c);
        return c == UTF8_INVALID ? 0 : n;
    }
    return 0;
}

struct utf8_tally utf8_count(const void *text, size_t len)
{
    const char *s = text;
    struct utf8_tally t = { 0 };
    size_t at = 0;

    while ((at = skip_ascii(s, at, len)) < len) {
        const uint8_t *p = (const uint8_t *)s;
        int32_t c;
        size_t n = utf8_next(p + at, p + len, &c);

        if (c == UTF8_INVALID)
            t.invalid += n;
        else
            t.wide++;
        at += n;
    }
    return t;
}

int utf8_repair(const char *text, size_t len, struct buf *out,
                uint64_t *invalid, struct cooc_err *err)
{
    size_t done = 0;

    while (done < len) {
        size_t at = done, end = find_invalid(text, &at, len);
        int rc = buf_add(out, text + done, at - done, err);

        if (rc == 0 && end > at)
            rc = buf_add(out, "\xef\xbf\xbd", 3, err);
        if (rc < 0)
            return rc;
        *invalid += end - at;
        done = end;
    }
    return 0;
}
