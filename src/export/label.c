/* label.c - a term as a format wants it. */
#include "export/label.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static int add_tsv(struct buf *to, const char *s, size_t len,
                   struct cooc_err *err)
{
    int rc = buf_reserve(to, 2 * len, err);

    for (size_t i = 0; i < len && rc == 0; i++) {
        const char *special = "\t\n\r\\", *letters = "tnr\\0";
        const char *at = strchr(special, s[i]); /* also finds the NUL */

        if (at)
            to->data[to->len++] = '\\';
        to->data[to->len++] = at ? letters[at - special] : s[i];
    }
    return rc;
}

static int add_csv(struct buf *to, const char *s, size_t len,
                   struct cooc_err *err)
{
    bool quote = len && (s[0] == ' ' || s[len - 1] == ' ');
    int rc = buf_reserve(to, 3 * len + 2, err);

    for (size_t i = 0; i < len && !quote; i++)
        quote = s[i] == ',' || s[i] == '"' || (s[i] >= '\n' && s[i] <= '\r');
    if (rc == 0 && quote)
        to->data[to->len++] = '"';
    for (size_t i = 0; i < len && rc == 0; i++) {
        if (s[i] == '\0') { /* at which most readers stop */
            memcpy(to->data + to->len, REPLACEMENT, 3);
            to->len += 3;
            continue;
        }
        if (s[i] == '"')
            to->data[to->len++] = '"';
        to->data[to->len++] = s[i];
    }
    if (rc == 0 && quote)
        to->data[to->len++] = '"';
    return rc;
}

/* Characters that have a name of their own in JSON; NULL: as they are. */
static const char *json_name(int32_t c, char room[8])
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    if (c >= 0x20)
        return NULL;
    snprintf(room, 8, "\\u%04x", (unsigned)c & 0x1f);
    return room;
}

/* XML 1.0 holds no other control characters, escaped or not, and advises
 * against non-characters. */
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

static const char *other_name(enum label kind, int32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029)
        return " ";
    if (kind == LABEL_QUOTED && c == '"')
        return "'";
    return kind == LABEL_QUOTED && c == '\\' ? "/" : NULL;
}

int label_add(struct buf *to, enum label kind, const char *s, size_t len,
              struct cooc_err *err)
{
    const uint8_t *p = (const uint8_t *)s, *end = p + len;
    bool quotes = kind == LABEL_JSON || kind == LABEL_QUOTED;
    int rc;

    if (kind == LABEL_TSV)
        return add_tsv(to, s, len, err);
    if (kind == LABEL_CSV)
        return add_csv(to, s, len, err);
    rc = quotes ? buf_byte(to, '"', err) : 0;
    while (p < end && rc == 0) {
        const char *name;
        char room[8];
        int32_t c;
        size_t n = utf8_next(p, end, &c);

        if (c == UTF8_INVALID)
            name = REPLACEMENT;
        else if (kind == LABEL_JSON)
            name = json_name(c, room);
        else
            name = kind == LABEL_XML ? xml_name(c) : other_name(kind, c);
        rc = name ? buf_add(to, name, strlen(name), err)
                  : buf_add(to, p, n, err);
        p += n;
    }
    return rc == 0 && quotes ? buf_byte(to, '"', err) : rc;
}
