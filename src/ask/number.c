/* number.c - parse numbers from users, and format numbers for output. */
#include "ask/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parse the digits at *s and move *s past them.  Returns false if there are no
 * digits or the value is above max. */
static bool take_digits(const char **s, uint64_t max, uint64_t *out)
{
    const char *p = *s;
    uint64_t v = 0;

    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');

        if (v > (max - digit) / 10 || digit > max)
            return false;
        v = v * 10 + digit;
    }
    if (p == *s)
        return false;
    *s = p;
    *out = v;
    return true;
}

bool parse_u64(const char *s, uint64_t max, uint64_t *out)
{
    uint64_t v;

    if (!take_digits(&s, max, &v) || *s)
        return false;
    *out = v;
    return true;
}

bool parse_size(const char *s, uint64_t *out)
{
    static const char suffixes[] = "KMGT";
    unsigned shift = 0;
    uint64_t v;

    if (!take_digits(&s, UINT64_MAX, &v))
        return false;
    if (*s) {
        char upper = (char)(*s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s);
        const char *found = strchr(suffixes, upper);

        if (!found || s[1])
            return false;
        shift = 10 * (unsigned)(found - suffixes + 1);
    }
    if (v > UINT64_MAX >> shift)
        return false;
    *out = v << shift;
    return true;
}

bool parse_share(const char *s, struct share *out)
{
    const char *p = s;
    uint64_t whole, part;
    char hundredths[NUMBER_MAX];
    double share;

    if (!take_digits(&p, UINT64_MAX, &whole))
        return false;
    if (!*p) {
        *out = (struct share){ .count = whole };
        return true;
    }
    if (*p == '.' && (p++, !take_digits(&p, UINT64_MAX, &part)))
        return false;
    if (*p != '%' || p[1])
        return false;
    /* Get the double nearest to the share; a division would round twice. */
    if (snprintf(hundredths, sizeof hundredths, "%.*se-2", (int)(p - s), s) >=
        (int)sizeof hundredths)
        return false;
    share = strtod(hundredths, NULL);
    if (!(share > 0 && share <= 1))
        return false;
    *out = (struct share){ .part = share };
    return true;
}

bool parse_part(const char *s, struct part_of *out)
{
    uint64_t part, parts;

    if (!take_digits(&s, UINT32_MAX, &part) || *s++ != '/' ||
        !take_digits(&s, UINT32_MAX, &parts) || *s || !part || part > parts)
        return false;
    *out = (struct part_of){ (uint32_t)part, (uint32_t)parts };
    return true;
}

bool parse_real(const char *s, double *out)
{
    const char *p = s + (*s == '-' || *s == '+');
    char *end;
    double v;

    if ((*p < '0' || *p > '9') && *p != '.')
        return false; /* blanks, "inf" and "nan" are invalid */
    if (strspn(p, "0123456789.eE+-") != strlen(p))
        return false; /* hexadecimal is invalid */
    v = strtod(s, &end);
    if (*end || end == s || !isfinite(v))
        return false;
    *out = v;
    return true;
}

/* Insert thousands separators into the integer part of buf. */
static char *group_digits(char buf[NUMBER_MAX])
{
    size_t start = buf[0] == '-', len = strlen(buf);
    size_t digits = strspn(buf + start, "0123456789");

    for (size_t at = digits; at > 3; at -= 3) {
        size_t comma = start + at - 3;

        if (len + 1 >= NUMBER_MAX)
            break;
        memmove(buf + comma + 1, buf + comma, len - comma + 1);
        buf[comma] = ',';
        len++;
    }
    return buf;
}

char *format_count(char buf[NUMBER_MAX], uint64_t v)
{
    snprintf(buf, NUMBER_MAX, "%" PRIu64, v);
    return group_digits(buf);
}

char *format_real(char buf[NUMBER_MAX], double v, int decimals)
{
    if (!isfinite(v) || fabs(v) >= 1e18) {
        snprintf(buf, NUMBER_MAX, "%g", v);
        return buf;
    }
    snprintf(buf, NUMBER_MAX, "%.*f", decimals, v);
    return group_digits(buf);
}

char *format_exact(char buf[NUMBER_MAX], double v)
{
    if (isnan(v)) {
        strcpy(buf, "nan");
        return buf;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, NUMBER_MAX, "%.*g", digits, v);
        if (strtod(buf, NULL) == v)
            break;
    }
    return buf;
}

char *format_power(char buf[NUMBER_MAX], double x, int digits)
{
    double whole = floor(x);
    int n;

    if (x > -300) {
        snprintf(buf, NUMBER_MAX, "%.*g", digits, pow(10, x));
        return buf;
    }
    n = snprintf(buf, NUMBER_MAX, "%.*f", digits - 1, pow(10, x - whole));
    if (buf[1] == '0') { /* 9.99... was rounded to 10 */
        whole++;
        n = snprintf(buf, NUMBER_MAX, "%.*f", digits - 1, 1.0);
    }
    snprintf(buf + n, NUMBER_MAX - (size_t)n, "e%.0f", whole);
    return buf;
}

char *format_size(char buf[NUMBER_MAX], uint64_t v)
{
    static const char *const suffixes[] = { "", "K", "M", "G", "T" };
    size_t i = 0;

    for (; v && v % 1024 == 0 && i < 4; i++)
        v /= 1024;
    snprintf(buf, NUMBER_MAX, "%" PRIu64 "%s", v, suffixes[i]);
    return buf;
}
