/* json_parse.c - JSON text to jansson's values, by recursive descent.
 *
 *     value    object | array | string | number | true | false | null
 *     object   { "name" : value , ... }     a later name replaces an earlier
 *     array    [ value , ... ]
 *
 * It accepts what json_loadb() accepts.  Strings and numbers are copied to a
 * buffer to be decoded; names stay in it while their values are parsed.
 */
#include "base/json_parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/utf8.h>

#include "base/buf.h"

#define DEPTH_MAX 2048 /* as jansson */

struct parser {
    const char *p, *end;
    struct buf text;
    unsigned depth;
    bool nul;   /* strings may hold U+0000 */
    bool nomem; /* why it failed; else the text is bad */
};

static json_t *parse_value(struct parser *s);

/* What jansson returns NULL for. */
static json_t *made(struct parser *s, json_t *json)
{
    s->nomem |= !json;
    return json;
}

static bool add(struct parser *s, const void *data, size_t len)
{
    s->nomem |= buf_add(&s->text, data, len, NULL) < 0;
    return !s->nomem;
}

static void skip_blanks(struct parser *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' ||
                             *s->p == '\r'))
        s->p++;
}

/* Is this the next character, after blanks?  Then it is passed. */
static bool pass(struct parser *s, char c)
{
    skip_blanks(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

/* ---- strings ------------------------------------------------------------ */

static int32_t take_hex4(struct parser *s)
{
    int32_t v = 0;

    for (int i = 0; i < 4; i++, s->p++) {
        int c = s->p < s->end ? *s->p | 32 : 0;

        if (c >= '0' && c <= '9' && *s->p >= '0' && *s->p <= '9')
            v = v << 4 | (c - '0');
        else if (c >= 'a' && c <= 'f')
            v = v << 4 | (c - 'a' + 10);
        else
            return -1;
    }
    return v;
}

/* An escape, its backslash passed. */
static bool take_escape(struct parser *s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *which;
    int32_t c, low;
    char bytes[U8_MAX_LENGTH];
    size_t n = 0;

    if (s->p == s->end)
        return false;
    if (*s->p != 'u') {
        which = *s->p ? strchr(from, *s->p++) : NULL;
        return which && add(s, &to[which - from], 1);
    }
    s->p++;
    c = take_hex4(s);
    if (c >= 0xd800 && c <= 0xdbff) {
        if (s->end - s->p < 2 || s->p[0] != '\\' || s->p[1] != 'u')
            return false;
        s->p += 2;
        low = take_hex4(s);
        if (low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    if (c < 0 || (c >= 0xd800 && c <= 0xdfff) || (c == 0 && !s->nul))
        return false;
    U8_APPEND_UNSAFE(bytes, n, c);
    return add(s, bytes, n);
}

/* Are these bytes, in which no ASCII byte matters, valid UTF-8? */
static bool is_utf8(const char *text, size_t len)
{
    const uint8_t *p = (const uint8_t *)text;

    for (size_t i = 0; i < len;) {
        UChar32 c;

        if (p[i] < 0x80) {
            i++;
            continue;
        }
        U8_NEXT(p, i, len, c);
        if (c < 0)
            return false;
    }
    return true;
}

/* A string, decoded, appended to the text; its first quote is passed. */
static bool take_string(struct parser *s)
{
    for (;;) {
        const char *start = s->p;

        while (s->p < s->end && *s->p != '"' && *s->p != '\\' &&
               (unsigned char)*s->p >= 0x20)
            s->p++;
        if (s->p == s->end || !is_utf8(start, (size_t)(s->p - start)) ||
            !add(s, start, (size_t)(s->p - start)))
            return false;
        if (*s->p == '"')
            return s->p++, true;
        if (*s->p++ != '\\' || !take_escape(s))
            return false;
    }
}

static json_t *parse_string(struct parser *s)
{
    size_t at = s->text.len, len;

    if (!take_string(s))
        return NULL;
    len = s->text.len - at;
    s->text.len = at;
    return made(s, json_stringn_nocheck(len ? s->text.data + at : "", len));
}

/* ---- numbers and words -------------------------------------------------- */

static size_t take_digits(struct parser *s)
{
    const char *start = s->p;

    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return (size_t)(s->p - start);
}

static json_t *parse_number(struct parser *s)
{
    const char *start = s->p;
    size_t at = s->text.len, whole;
    bool real = false;
    const char *copy;
    json_int_t i;
    double v;

    s->p += *s->p == '-';
    whole = take_digits(s);
    if (!whole || (whole > 1 && s->p[-(ptrdiff_t)whole] == '0'))
        return NULL;
    if (s->p < s->end && *s->p == '.') {
        real = true;
        s->p++;
        if (!take_digits(s))
            return NULL;
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        real = true;
        s->p++;
        s->p += s->p < s->end && (*s->p == '+' || *s->p == '-');
        if (!take_digits(s))
            return NULL;
    }
    if (!add(s, start, (size_t)(s->p - start)) || !add(s, "", 1))
        return NULL;
    s->text.len = at;
    copy = s->text.data + at;
    errno = 0;
    if (real) {
        v = strtod(copy, NULL);
        return isinf(v) ? NULL : made(s, json_real(v));
    }
    i = strtoll(copy, NULL, 10);
    return errno ? NULL : made(s, json_integer(i));
}

static json_t *parse_word(struct parser *s)
{
    static const char *const words[] = { "true", "false", "null" };

    for (int i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);

        if ((size_t)(s->end - s->p) >= n && !memcmp(s->p, words[i], n)) {
            s->p += n;
            return i == 0 ? json_true() : i == 1 ? json_false() : json_null();
        }
    }
    return NULL;
}

/* ---- arrays and objects -------------------------------------------------- */

static bool add_item(struct parser *s, json_t *array)
{
    json_t *item = parse_value(s);

    if (!item)
        return false;
    s->nomem |= json_array_append_new(array, item) < 0;
    return !s->nomem;
}

static bool add_member(struct parser *s, json_t *object)
{
    size_t at = s->text.len, len;
    json_t *value;

    if (!pass(s, '"') || !take_string(s))
        return false;
    len = s->text.len - at;
    if (len && memchr(s->text.data + at, 0, len))
        return false;
    value = pass(s, ':') ? parse_value(s) : NULL;
    if (!value)
        return false;
    s->nomem |= json_object_setn_new_nocheck(
                    object, len ? s->text.data + at : "", len, value) < 0;
    s->text.len = at;
    return !s->nomem;
}

static json_t *parse_all(struct parser *s, json_t *all, char close,
                         bool (*one)(struct parser *s, json_t *all))
{
    bool good = made(s, all) != NULL;

    if (good && pass(s, close))
        return all;
    do
        good = good && one(s, all);
    while (good && pass(s, ','));
    if (good && pass(s, close))
        return all;
    json_decref(all);
    return NULL;
}

static json_t *parse_value(struct parser *s)
{
    json_t *json = NULL;

    skip_blanks(s);
    if (s->p == s->end || ++s->depth > DEPTH_MAX)
        return NULL;
    switch (*s->p) {
    case '{':
        s->p++;
        json = parse_all(s, json_object(), '}', add_member);
        break;
    case '[':
        s->p++;
        json = parse_all(s, json_array(), ']', add_item);
        break;
    case '"':
        s->p++;
        json = parse_string(s);
        break;
    default:
        json = *s->p == '-' || (*s->p >= '0' && *s->p <= '9')
                   ? parse_number(s)
                   : parse_word(s);
    }
    s->depth--;
    return json;
}

json_t *json_parse(const char *text, size_t len, bool nul, bool *nomem)
{
    struct parser s = { .p = text, .end = text + len, .nul = nul };
    json_t *json = NULL;

    skip_blanks(&s);
    if (s.p < s.end && (*s.p == '{' || *s.p == '['))
        json = parse_value(&s);
    skip_blanks(&s);
    if (s.p < s.end) {
        json_decref(json);
        json = NULL;
    }
    buf_release(&s.text);
    *nomem = s.nomem;
    return json;
}
