/* html_reference.c - decode character references, by the HTML standard's rules.
 *
 * The longest name counts: &notin; is one character, but &notit; is &not;
 * followed by "it;", because "not" is one of the old names that may lack the
 * semicolon.  A number that is not a character becomes U+FFFD, and 128 to 159
 * are read as windows-1252.
 */
#include "read/html_reference.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/utf8.h>

#include "base/ascii_case.h"

#define NAME_MAX_LEN 31 /* CounterClockwiseContourIntegral */
#define OLD_NAME_MAX 6  /* longest name that may lack the semicolon */

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
    for (first = q; q < end && (unsigned)ascii_hex(*q) < base; q++)
        if (c <= 0x10ffff) /* beyond that, digits change nothing */
            c = c * base + (uint32_t)ascii_hex(*q);
    if (q == first)
        return 0;
    if (c >= 128 && c < 160)
        c = windows[c - 128];
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    *n = 0;
    U8_APPEND_UNSAFE(out, *n, c);
    return (size_t)(q - p) + (q < end && *q == ';');
}

static int by_name(const void *key, const void *item)
{
    const struct html_name *wanted = key, *with = item;

    return strcmp(wanted->name, with->name);
}

/* The entry for name[0..len), or NULL. */
static const struct html_name *look_up(const char *name, size_t len)
{
    struct html_name wanted = { 0 };

    if (len >= sizeof wanted.name)
        return NULL;
    memcpy(wanted.name, name, len);
    return bsearch(&wanted, html_names, html_names_count, sizeof wanted,
                   by_name);
}

size_t html_reference(const char *p, const char *end,
                      char out[HTML_REFERENCE_MAX], size_t *n)
{
    const struct html_name *entry = NULL;
    const char *name = p + 1;
    size_t len = 0, used;

    if (name < end && *name == '#')
        return number(p, end, out, n);
    if (name == end || !ascii_is_letter(*name))
        return 0;
    while (len <= NAME_MAX_LEN && len < (size_t)(end - name) &&
           ascii_is_alnum(name[len]))
        len++;
    used = len + 2;
    if (len < (size_t)(end - name) && name[len] == ';')
        entry = look_up(name, len);
    for (len = len < OLD_NAME_MAX ? len : OLD_NAME_MAX; !entry && len; len--) {
        entry = look_up(name, len);
        used = len + 1;
        if (entry && !entry->old)
            entry = NULL;
    }
    if (!entry)
        return 0;
    *n = strlen(entry->text);
    memcpy(out, entry->text, *n);
    return used;
}
