/* scan.h - parse the fields and numbers of a line, without locale or final NUL.
 *
 * A cursor runs over [at, end).  Nothing here reads at or after end.
 */
#ifndef COOC_SCAN_H
#define COOC_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii_case.h"

struct scan {
    const char *at, *end;
};

static inline struct scan scan_of(const char *line, size_t len)
{
    return (struct scan){ line, line + len };
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void scan_blanks(struct scan *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
}

static inline size_t scan_left(const struct scan *s)
{
    return (size_t)(s->end - s->at);
}

/* Consume c if it is the next character; false if it is not. */
static inline bool scan_char(struct scan *s, char c)
{
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

/* The text before the next c, or all that is left; moves s to the end of it. */
static inline struct scan scan_before(struct scan *s, char c)
{
    struct scan field = *s;
    const char *end = memchr(s->at, c, scan_left(s));

    field.end = s->at = end ? end : s->end;
    return field;
}

/* Is s at the end of a field, which is a blank or the end of the line? */
static inline bool scan_field_end(const struct scan *s)
{
    return s->at == s->end || is_blank(*s->at);
}

/* Read decimal digits; false if there are none or the value does not fit. */
static inline bool scan_u64(struct scan *s, uint64_t *v)
{
    const char *start = s->at;
    uint64_t x = 0;

    for (; s->at < s->end && ascii_is_digit(*s->at); s->at++)
        if (__builtin_mul_overflow(x, 10, &x) ||
            __builtin_add_overflow(x, (uint64_t)(*s->at - '0'), &x))
            return false;
    *v = x;
    return s->at > start;
}

/* Read a field up to the next blank; returns its length. */
static inline size_t scan_field(struct scan *s, const char **field)
{
    *field = s->at;
    while (s->at < s->end && !is_blank(*s->at))
        s->at++;
    return (size_t)(s->at - *field);
}

/* What matters about a number here: is it zero, positive, negative, or not a
 * number? */
enum sign { SIGN_ZERO, SIGN_PLUS, SIGN_MINUS, SIGN_NONE };

/* Read a decimal number, for example 3, -0.5, 1e-3 or +1; SIGN_NONE if there is
 * none. */
static inline enum sign scan_number(struct scan *s)
{
    bool minus = scan_char(s, '-'), digits = false, nonzero = false;
    uint64_t power;

    if (!minus)
        scan_char(s, '+');
    for (int part = 0; part < 2; part++) {
        for (; s->at < s->end && ascii_is_digit(*s->at); s->at++) {
            digits = true;
            nonzero = nonzero || *s->at != '0';
        }
        if (!scan_char(s, '.'))
            break;
    }
    if (!digits)
        return SIGN_NONE;
    if (scan_char(s, 'e') || scan_char(s, 'E')) {
        if (!scan_char(s, '-'))
            scan_char(s, '+');
        if (!scan_u64(s, &power))
            return SIGN_NONE;
    }
    if (!nonzero)
        return SIGN_ZERO;
    return minus ? SIGN_MINUS : SIGN_PLUS;
}

#endif
