/* json_skim.c - so that jansson need not look at every letter of a novel.
 *
 * jansson reads 70 MB/s, a byte at a time; nearly all bytes of a record are
 * those of a few long strings.  They are cut out first, with memchr(), and
 * a short mark put in their place:
 *
 *     {"id":7,"text":"It was the best of times, ..."}
 *     {"id":7,"text":"\u00010"}             string 0 is elsewhere
 *
 * So are numbers, but for short integers: jansson refuses those that a long
 * long or double cannot hold, and forgets how others were written.
 *
 * jansson then parses the short line as it would the long one.  A string is
 * cut out only if jansson would accept it; whenever there is any doubt, the
 * whole line goes to jansson, which also words the errors.
 */
#include "read/json_skim.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/utf8.h>

#include "base/mem.h"

#define LONG_STRING 64 /* bytes; shorter ones stay */
#define SHORT_INTEGER 18 /* characters; any that fit into 64 bits */
#define MARK "\\u0001"

struct skim_span {
    bool decoded; /* in decoded, else in the line */
    bool number;
    size_t at, len;
};

/* The closing quote of a string whose first byte is at p, or NULL. */
static const char *closing_quote(const char *p, const char *end)
{
    const char *start = p;

    while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
        const char *q = p;

        while (q > start && q[-1] == '\\')
            q--;
        if ((p - q) % 2 == 0)
            return p;
        p++;
    }
    return NULL;
}

static bool has_control(const char *p, size_t n)
{
    unsigned found = 0;

    for (size_t i = 0; i < n; i++)
        found |= (unsigned char)p[i] < 0x20;
    return found != 0;
}

/* Four hexadecimal digits at p, or -1. */
static int32_t hex4(const char *p, const char *end)
{
    int32_t v = 0;

    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int c = p[i] | 32, d;

        if (p[i] >= '0' && p[i] <= '9')
            d = p[i] - '0';
        else if (c >= 'a' && c <= 'f')
            d = c - 'a' + 10;
        else
            return -1;
        v = v << 4 | d;
    }
    return v;
}

/* The character of the escape at *p, behind its backslash; *p is moved
 * behind it.  -1: jansson shall say what is wrong. */
static int32_t escape(const char **p, const char *end)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *which;
    int32_t c, low;

    if (**p != 'u') {
        which = **p ? strchr(from, **p) : NULL;
        ++*p;
        return which ? to[which - from] : -1;
    }
    c = hex4(*p + 1, end);
    *p += 5;
    if (c < 0xd800 || c > 0xdfff)
        return c;
    if (c > 0xdbff || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u')
        return -1;
    low = hex4(*p + 2, end);
    *p += 6;
    if (low < 0xdc00 || low > 0xdfff)
        return -1;
    return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

/* Append p[0..n), its escapes undone, to decoded: 1, or 0 if one is bad. */
static int decode(struct skim *k, const char *p, size_t n, struct cooc_err *err)
{
    const char *end = p + n;
    int rc = buf_reserve(&k->decoded, n, err); /* it only gets shorter */

    if (rc < 0)
        return rc;
    while (p < end) {
        const char *stop = memchr(p, '\\', (size_t)(end - p));
        size_t run = (size_t)((stop ? stop : end) - p);
        int32_t c;

        memcpy(k->decoded.data + k->decoded.len, p, run);
        k->decoded.len += run;
        p += run;
        if (!stop)
            break;
        p++;
        c = p < end ? escape(&p, end) : -1;
        if (c < 0)
            return 0;
        U8_APPEND_UNSAFE(k->decoded.data, k->decoded.len, c);
    }
    return 1;
}

/* Put a mark in the place of the string p[0..n): 1, or 0 if it is bad. */
static int cut_out(struct skim *k, const char *p, size_t n,
                   struct cooc_err *err)
{
    struct skim_span span = { .at = (size_t)(p - k->line), .len = n };
    int rc = array_grow(&k->spans, &k->cap, k->n + 1, sizeof span, err);

    if (rc < 0)
        return rc;
    if (has_control(p, n))
        return 0;
    if (memchr(p, '\\', n)) {
        span.decoded = true;
        span.at = k->decoded.len;
        rc = decode(k, p, n, err);
        if (rc <= 0)
            return rc;
        span.len = k->decoded.len - span.at;
    }
    k->spans[k->n] = span;
    rc = buf_printf(&k->reduced, err, MARK "%zu", k->n);
    k->n++;
    return rc < 0 ? rc : 1;
}

/* Is the string that ended before p the name of a member? */
static bool is_key(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p < end && *p == ':';
}

/* Would the record's own string p..end be taken for a mark of ours? */
static bool is_mark(const char *p, const char *end)
{
    return (size_t)(end - p) >= strlen(MARK) &&
           memcmp(p, MARK, strlen(MARK)) == 0;
}

static const char *digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* The end of the number at p, by the grammar of JSON, or NULL. */
static const char *number_end(const char *p, const char *end)
{
    const char *from = p < end && *p == '-' ? p + 1 : p;

    p = digits(from, end);
    if (p == from || (*from == '0' && p > from + 1))
        return NULL;
    if (p < end && *p == '.') {
        from = p + 1;
        p = digits(from, end);
        if (p == from)
            return NULL;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        from = p + 1;
        from += from < end && (*from == '+' || *from == '-');
        p = digits(from, end);
        if (p == from)
            return NULL;
    }
    return p;
}

/* Will jansson keep the number as it is written? */
static bool is_short_integer(const char *p, size_t n)
{
    if (n > SHORT_INTEGER || (n == 2 && memcmp(p, "-0", 2) == 0))
        return false;
    for (size_t i = 0; i < n; i++)
        if (p[i] != '-' && (p[i] < '0' || p[i] > '9'))
            return false;
    return true;
}

/* Append what is between two strings, with marks for its numbers.  What is
 * not quite a number is left for jansson to complain about. */
static int add_between(struct skim *k, const char *p, const char *end,
                       struct cooc_err *err)
{
    const char *done = p;
    int rc = 0;

    while (rc == 0 && p < end) {
        const char *stop;

        if (*p != '-' && (*p < '0' || *p > '9')) {
            p++;
            continue;
        }
        stop = number_end(p, end);
        if (!stop || (stop < end && strchr("+-.eE0123456789", *stop)))
            break;
        if (!is_short_integer(p, (size_t)(stop - p)) && !is_key(stop, end)) {
            struct skim_span span = { .at = (size_t)(p - k->line),
                                      .len = (size_t)(stop - p),
                                      .number = true };

            rc = array_grow(&k->spans, &k->cap, k->n + 1, sizeof span, err);
            if (rc == 0)
                rc = buf_add(&k->reduced, done, (size_t)(p - done), err);
            if (rc == 0)
                rc = buf_printf(&k->reduced, err, "\"" MARK "%zu\"", k->n);
            if (rc == 0)
                k->spans[k->n++] = span;
            done = stop;
        }
        p = stop;
    }
    return rc < 0 ? rc : buf_add(&k->reduced, done, (size_t)(end - done), err);
}

int skim_line(struct skim *k, const char *line, size_t len,
              struct cooc_err *err)
{
    const char *p = line, *end = line + len, *open, *close;
    int rc;

    k->line = line;
    k->reduced.len = k->decoded.len = k->n = 0;
    while ((open = memchr(p, '"', (size_t)(end - p))) != NULL) {
        close = closing_quote(++open, end);
        if (!close)
            return 0;
        rc = add_between(k, p, open, err);
        if (rc < 0)
            return rc;
        if ((close - open > LONG_STRING || is_mark(open, close)) &&
            !is_key(close + 1, end)) {
            rc = cut_out(k, open, (size_t)(close - open), err);
            if (rc <= 0)
                return rc;
        } else {
            rc = buf_add(&k->reduced, open, (size_t)(close - open), err);
            if (rc < 0)
                return rc;
        }
        rc = buf_byte(&k->reduced, '"', err);
        if (rc < 0)
            return rc;
        p = close + 1;
    }
    rc = add_between(k, p, end, err);
    return rc < 0 ? rc : 1;
}

void skim_release(struct skim *k)
{
    buf_release(&k->reduced);
    buf_release(&k->decoded);
    mem_free(k->spans);
    *k = (struct skim){ 0 };
}

size_t json_mend_escapes(char *line, size_t len)
{
    char *p = line, *end = line + len;
    size_t n = 0;

    while ((p = memchr(p, '\\', (size_t)(end - p))) != NULL && end - p >= 6) {
        int32_t c = p[1] == 'u' ? hex4(p + 2, end) : -1, low = -1;

        if (c < 0xd800 || c > 0xdfff) {
            p += 2; /* so that the second of two backslashes begins none */
            continue;
        }
        if (c < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u')
            low = hex4(p + 8, end);
        if (low >= 0xdc00 && low <= 0xdfff) {
            p += 12;
            continue;
        }
        memcpy(p, "\\ufffd", 6);
        p += 6;
        n++;
    }
    return n;
}

/* The string that a mark replaces; NULL if value is not a mark. */
static const struct skim_span *find_span(const struct skim *k,
                                         const char *value, size_t len)
{
    if (len < 2 || value[0] != '\x01' || k->n == 0)
        return NULL;
    return &k->spans[strtoul(value + 1, NULL, 10)];
}

const char *skim_string(const struct skim *k, const char *value, size_t *len)
{
    const struct skim_span *s = find_span(k, value, *len);

    if (!s)
        return value;
    *len = s->len;
    return (s->decoded ? k->decoded.data : k->line) + s->at;
}

bool skim_is_number(const struct skim *k, const char *value, size_t len)
{
    const struct skim_span *s = find_span(k, value, len);

    return s && s->number;
}
