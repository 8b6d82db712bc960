/* json_parse.c - JSON text to jansson's values, by recursive descent.
 *
 *     value    object | array | string | number | true | false | null
 *     object   { "name" : value , ... }     a later name replaces an earlier
 *     array    [ value , ... ]
 *
 * Strings with escapes are decoded into a buffer, in which names stay while
 * their values are parsed; all others are taken from the text where they are.
 */
#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/utf8.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/utf8.h"

#define DEPTH_MAX 2048 /* as jansson */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte)) /* of eight */

struct parser {
    const char *p, *end;
    struct buf text;
    unsigned depth;
    struct json_parse_args *args;
};

/* A string without its quotes. */
struct string {
    const char *start; /* NULL: it is decoded, in text */
    size_t at, len;
};

static json_t *parse_value(struct parser *s);

/* What jansson returns NULL for. */
static json_t *note_nomem(struct parser *s, json_t *json)
{
    s->args->nomem |= !json;
    return json;
}

/* Append to the text, and leave room for one more character.  What is left to
 * parse does not need more room than it takes now. */
static bool add(struct parser *s, const void *data, size_t len)
{
    size_t need = len + U8_MAX_LENGTH;

    if (s->text.cap - s->text.len < need &&
        buf_reserve(&s->text, need + (size_t)(s->end - s->p), NULL) < 0) {
        s->args->nomem = true;
        return false;
    }
    memcpy(s->text.data + s->text.len, data, len);
    s->text.len += len;
    return true;
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
        int digit = s->p < s->end ? ascii_hex(*s->p) : -1;

        if (digit < 0)
            return -1;
        v = v << 4 | digit;
    }
    return v;
}

/* The second half of a surrogate pair, or -1 and nothing is passed. */
static int32_t take_low(struct parser *s)
{
    const char *before = s->p;
    int32_t low = -1;

    if (s->end - s->p >= 2 && s->p[0] == '\\' && s->p[1] == 'u') {
        s->p += 2;
        low = take_hex4(s);
    }
    if (low >= 0xdc00 && low <= 0xdfff)
        return low;
    s->p = before;
    return -1;
}

/* The character of an escape, its backslash passed; -1 if it is bad. */
static int32_t take_escape(struct parser *s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *which;
    int32_t c, low;

    if (s->p == s->end)
        return -1;
    if (*s->p != 'u') {
        which = *s->p ? strchr(from, *s->p++) : NULL;
        return which ? to[which - from] : -1;
    }
    s->p++;
    c = take_hex4(s);
    if (c < 0xd800 || c > 0xdfff)
        return c == 0 && !s->args->nul ? -1 : c;
    low = c < 0xdc00 ? take_low(s) : -1;
    if (low >= 0)
        return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    s->args->replaced++;
    return s->args->record ? UTF8_REPLACEMENT : -1;
}

/* Pass characters that stand for themselves: all up to a quote, a backslash or
 * a control character. */
static bool take_plain(struct parser *s)
{
    const char *start = s->p;

    for (; s->end - s->p >= 8; s->p += 8) {
        uint64_t x = get_le64(s->p), special;

        /* Bit 7 of the first such byte, perhaps of others after it. */
        special = ((x - EACH(0x20)) | ((x ^ EACH('"')) - EACH(1)) |
                   ((x ^ EACH('\\')) - EACH(1))) & ~x & EACH(0x80);
        if (special) {
            s->p += __builtin_ctzll(special) / 8;
            break;
        }
    }
    while (s->p < s->end && (uint8_t)*s->p >= 0x20 && *s->p != '"' &&
           *s->p != '\\')
        s->p++;
    return s->p < s->end &&
           (s->args->record || utf8_is_valid(start, (size_t)(s->p - start)));
}

/* A string; its first quote is passed. */
static bool take_string(struct parser *s, struct string *out)
{
    const char *start = s->p;

    *out = (struct string){ .at = s->text.len };
    while (take_plain(s)) {
        size_t len = (size_t)(s->p - start);
        int32_t c;

        if (*s->p == '"' && s->text.len == out->at) {
            out->start = start;
            out->len = len;
            return s->p++, true;
        }
        if (!add(s, start, len))
            return false;
        out->len = s->text.len - out->at;
        if (*s->p == '"')
            return s->p++, true;
        c = *s->p++ == '\\' ? take_escape(s) : -1;
        if (c < 0)
            return false;
        U8_APPEND_UNSAFE(s->text.data, s->text.len, c);
        start = s->p;
    }
    return false;
}

/* Its bytes, until more is decoded. */
static const char *string_bytes(const struct parser *s,
                                const struct string *string)
{
    return string->start ? string->start : s->text.data + string->at;
}

static json_t *parse_string(struct parser *s)
{
    struct string v;

    if (!take_string(s, &v))
        return NULL;
    s->text.len = v.at;
    return note_nomem(s, json_stringn_nocheck(string_bytes(s, &v), v.len));
}

/* ---- numbers and words -------------------------------------------------- */

static size_t take_digits(struct parser *s)
{
    const char *start = s->p;

    while (s->p < s->end && ascii_is_digit(*s->p))
        s->p++;
    return (size_t)(s->p - start);
}

/* Pass a number; *real: it has a fraction or an exponent. */
static bool take_number(struct parser *s, bool *real)
{
    size_t whole;

    *real = false;
    s->p += *s->p == '-';
    whole = take_digits(s);
    if (!whole || (whole > 1 && s->p[-(ptrdiff_t)whole] == '0'))
        return false;
    if (s->p < s->end && *s->p == '.') {
        *real = true;
        s->p++;
        if (!take_digits(s))
            return false;
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        *real = true;
        s->p++;
        s->p += s->p < s->end && (*s->p == '+' || *s->p == '-');
        if (!take_digits(s))
            return false;
    }
    return true;
}

static json_t *parse_number(struct parser *s)
{
    const char *start = s->p, mark = JSON_NUMBER_MARK;
    size_t at = s->text.len, len;
    bool real;
    char *copy;
    json_int_t i;
    double v;

    if (!take_number(s, &real) || !add(s, &mark, 1) ||
        !add(s, start, (size_t)(s->p - start)) || !add(s, "", 1))
        return NULL;
    len = s->text.len - at - 1;
    s->text.len = at;
    copy = s->text.data + at;
    if (s->args->record)
        return note_nomem(s, json_stringn_nocheck(copy, len));
    errno = 0;
    if (real) {
        v = strtod(copy + 1, NULL);
        return isinf(v) ? NULL : note_nomem(s, json_real(v));
    }
    i = strtoll(copy + 1, NULL, 10);
    return errno ? NULL : note_nomem(s, json_integer(i));
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
    s->args->nomem |= json_array_append_new(array, item) < 0;
    return !s->args->nomem;
}

static bool add_member(struct parser *s, json_t *object)
{
    struct string name;
    json_t *value;

    if (!pass(s, '"') || !take_string(s, &name) ||
        (name.len && memchr(string_bytes(s, &name), 0, name.len)))
        return false;
    value = pass(s, ':') ? parse_value(s) : NULL;
    if (!value)
        return false;
    s->args->nomem |= json_object_setn_new_nocheck(
                         object, string_bytes(s, &name), name.len, value) < 0;
    s->text.len = name.at;
    return !s->args->nomem;
}

static json_t *parse_all(struct parser *s, json_t *all, char close,
                         bool (*one)(struct parser *s, json_t *all))
{
    bool good = note_nomem(s, all) != NULL;

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
        json = *s->p == '-' || ascii_is_digit(*s->p)
                   ? parse_number(s)
                   : parse_word(s);
    }
    s->depth--;
    return json;
}

json_t *json_parse(const char *text, size_t len, struct json_parse_args *args)
{
    struct parser s = { .p = text, .end = text + len, .args = args };
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
    return json;
}

void json_sanitise(char *text, size_t len)
{
    struct json_parse_args args = { .record = true };
    struct parser s = { .p = text, .end = text + len, .args = &args };
    bool quoted = false, real;

    while (s.p < s.end) {
        char *at = text + (s.p - text);
        size_t before = args.replaced;

        if (quoted && *at == '\\') {
            s.p++;
            take_escape(&s);
            if (args.replaced > before)
                memcpy(at, "\\ufffd", 6);
        } else if (!quoted && (*at == '-' || ascii_is_digit(*at))) {
            if (take_number(&s, &real)) {
                memset(at, ' ', (size_t)(s.p - at));
                *at = '0';
            }
        } else {
            quoted ^= *at == '"';
            s.p++;
        }
    }
}
