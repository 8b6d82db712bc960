/* html_reference.c - character references, by the rules of the HTML standard.
 *
 * The longest name counts: &notin; is one character, &notit; is &not; and
 * "it;", since "not" is one of the old names that may lack the semicolon.
 * A number that no character has becomes U+FFFD, and 128 to 159 mean what
 * they mean in windows-1252.
 */
#include "read/html_reference.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unicode/utf8.h>

#include "base/ascii_case.h"

#define NAME_MAX_LEN 31 /* CounterClockwiseContourIntegral */
#define OLD_NAME_MAX 6  /* of the names that may lack the semicolon */

static bool is_letter(char c)
{
    return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

static int digit(char c, unsigned base)
{
    int v = -1;

    if (c >= '0' && c <= '9')
        v = c - '0';
    else if (base == 16 && ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f')
        v = ascii_lower(c) - 'a' + 10;
    return v;
}

static size_t put(char *out, size_t n, uint32_t c)
{
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    U8_APPEND_UNSAFE(out, n, c);
    return n;
}

static size_t number(const char *p, const char *end,
                     char out[HTML_REFERENCE_MAX], size_t *n)
{
    static const uint16_t windows[32] = {
        0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
        0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
        0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
    };
    const char *q = p + 2, *first;
    unsigned base = 10;
    uint32_t c = 0;

    if (q < end && ascii_lower(*q) == 'x') {
        base = 16;
        q++;
    }
    for (first = q; q < end && digit(*q, base) >= 0; q++)
        if (c <= 0x10ffff) /* more digits change nothing then */
            c = c * base + (uint32_t)digit(*q, base);
    if (q == first)
        return 0;
    if (c >= 128 && c < 160)
        c = windows[c - 128];
    *n = put(out, 0, c);
    return (size_t)(q - p) + (q < end && *q == ';');
}

/* What comes after name[0..len) in the table, "=3b1;" or "!e9;", or NULL. */
static const char *look_up(const char *name, size_t len)
{
    bool small = *name >= 'a';
    const char *all = html_names[small ? *name - 'a' + 26 : *name - 'A'];
    size_t lo = 0, hi = strlen(all);

    name++;
    len--;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2, n;
        int order;

        while (mid > lo && all[mid - 1] != ';')
            mid--;
        n = strcspn(all + mid, "=!");
        order = memcmp(name, all + mid, len < n ? len : n);
        if (order == 0 && len == n)
            return all + mid + n;
        if (order < 0 || (order == 0 && len < n))
            hi = mid;
        else
            lo = mid + strcspn(all + mid, ";") + 1;
    }
    return NULL;
}

/* The code points of "=2a7d,338;". */
static size_t meaning(const char *entry, char out[HTML_REFERENCE_MAX])
{
    size_t n = 0;

    for (; *entry != ';';) {
        uint32_t c = 0;

        for (entry++; digit(*entry, 16) >= 0; entry++)
            c = c * 16 + (uint32_t)digit(*entry, 16);
        n = put(out, n, c);
    }
    return n;
}

size_t html_reference(const char *p, const char *end,
                      char out[HTML_REFERENCE_MAX], size_t *n)
{
    const char *name = p + 1, *entry = NULL;
    size_t len = 0;

    if (name < end && *name == '#')
        return number(p, end, out, n);
    if (name == end || !is_letter(*name))
        return 0;
    while (len <= NAME_MAX_LEN && len < (size_t)(end - name) &&
           (is_letter(name[len]) || digit(name[len], 10) >= 0))
        len++;
    if (len < (size_t)(end - name) && name[len] == ';')
        entry = look_up(name, len);
    if (entry) {
        *n = meaning(entry, out);
        return len + 2;
    }
    for (len = len < OLD_NAME_MAX ? len : OLD_NAME_MAX; len; len--) {
        entry = look_up(name, len);
        if (entry && *entry == '!') {
            *n = meaning(entry, out);
            return len + 1;
        }
    }
    return 0;
}
