/* label.c - escape terms for each format. */
#include "export/export.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* A backslash and a letter if c is a special character, otherwise NULL. */
static const char *escape(int32_t c, const char *special, const char *letters,
                          char room[8])
{
    const char *at = c < 0x80 ? strchr(special, c) : NULL;

    if (!at)
        return NULL;
    snprintf(room, 8, "\\%c", letters[at - special]); /* also for NUL */
    return room;
}

static bool csv_needs_quotes(const char *s, size_t len)
{
    bool quote = len && (s[0] == ' ' || s[len - 1] == ' ');

    for (size_t i = 0; i < len && !quote; i++)
        quote = s[i] == ',' || s[i] == '"' || (s[i] >= '\n' && s[i] <= '\r');
    return quote;
}

/* Most readers of CSV stop at a NUL. */
static const char *csv_name(int32_t c)
{
    return c == '"' ? "\"\"" : c == '\0' ? REPLACEMENT : NULL;
}

static const char *json_name(int32_t c, char room[8])
{
    const char *name = c ? escape(c, "\"\\\b\f\n\r\t", "\"\\bfnrt", room)
                         : NULL;

    if (name || c >= 0x20)
        return name;
    snprintf(room, 8, "\\u%04x", (unsigned)c & 0x1f);
    return room;
}

/* XML 1.0 does not allow other control characters, escaped or not, and advises
 * against noncharacters. */
static const char *xml_name(int32_t c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: break;
    }
    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c & 0xfffe) == 0xfffe ||
        (c >= 0xfdd0 && c <= 0xfdef))
        return REPLACEMENT;
    return NULL;
}

/* How the format writes c; NULL: unchanged. */
static const char *name_of(enum label kind, int32_t c, char room[8])
{
    switch (kind) {
    case LABEL_TSV: return escape(c, "\t\n\r\\", "tnr\\0", room);
    case LABEL_CSV: return csv_name(c);
    case LABEL_JSON: return json_name(c, room);
    case LABEL_XML: return xml_name(c);
    default: break;
    }
    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029)
        return " ";
    if (kind == LABEL_QUOTED && c == '"')
        return "'";
    return kind == LABEL_QUOTED && c == '\\' ? "/" : NULL;
}

int label_add(struct buf *to, enum label kind, const char *s, size_t len,
              struct cooc_err *err)
{
    const char *invalid = kind == LABEL_TSV || kind == LABEL_CSV ? NULL
                                                                 : REPLACEMENT;
    const uint8_t *p = (const uint8_t *)s, *end = p + len;
    bool quotes = kind == LABEL_JSON || kind == LABEL_QUOTED ||
                  (kind == LABEL_CSV && csv_needs_quotes(s, len));
    int rc = quotes ? buf_byte(to, '"', err) : 0;

    while (p < end && rc == 0) {
        char room[8];
        int32_t c;
        size_t n = utf8_next(p, end, &c);
        const char *name = c == UTF8_INVALID ? invalid
                                             : name_of(kind, c, room);

        rc = name ? buf_add(to, name, strlen(name), err)
                  : buf_add(to, p, n, err);
        p += n;
    }
    return rc == 0 && quotes ? buf_byte(to, '"', err) : rc;
}
