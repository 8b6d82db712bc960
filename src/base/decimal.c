/* decimal.c - fast conversion between numbers and decimal text.
 *
 * Integers are written two digits at a time from a table.  Reals between 1e-4
 * and 1e8 are scaled to an integer of nine digits; all other reals take the
 * slow path through snprintf().
 */
#include "base/decimal.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 9 /* significant digits of a real */

static const char hundred[] = "00010203040506070809"
                              "10111213141516171819"
                              "20212223242526272829"
                              "30313233343536373839"
                              "40414243444546474849"
                              "50515253545556575859"
                              "60616263646566676869"
                              "70717273747576777879"
                              "80818283848586878889"
                              "90919293949596979899";

/* The number of decimal digits of v >= 10000. */
static size_t count_digits(uint64_t v)
{
    size_t n = 5;

    for (uint64_t limit = 100000; v >= limit && ++n < DECIMAL_U64;)
        limit *= 10; /* at most 10^19, which has 64 bits */
    return n;
}

size_t decimal_u64(char *to, uint64_t v)
{
    size_t len;

    if (v < 100) {
        if (v >= 10) {
            memcpy(to, hundred + 2 * v, 2);
            return 2;
        }
        *to = (char)('0' + v);
        return 1;
    }
    if (v < 10000) {
        const char *high = hundred + 2 * (v / 100);
        size_t skip = v < 1000; /* no leading zero */

        to[0] = high[skip];
        to[1] = high[1];
        memcpy(to + 2 - skip, hundred + 2 * (v % 100), 2);
        return 4 - skip;
    }
    len = count_digits(v);
    for (char *p = to + len; p > to; v /= 100) {
        p -= 2;
        if (p < to) /* one digit is left */
            *to = (char)('0' + v);
        else
            memcpy(p, hundred + 2 * (v % 100), 2);
    }
    return len;
}

static locale_t plain;

/* The "C" locale always exists and takes no memory.  It is created only once
 * because glibc leaks a few bytes per call if LOCPATH is set. */
static void find_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t decimal_plain(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_plain);
    return uselocale(plain);
}

size_t decimal_digits(char *to, double v, int digits)
{
    char text[DECIMAL_REAL + 1];
    locale_t before = decimal_plain();
    int n = snprintf(text, sizeof text, "%.*g", digits, v);

    uselocale(before);
    memcpy(to, text, (size_t)n);
    return (size_t)n;
}

/* A decimal of up to 15 digits survives the conversion to double and back.  So
 * if 15 digits do not read back as v, fewer digits do not either. */
size_t decimal_shortest(char *to, double v)
{
    char text[DECIMAL_REAL + 1];
    size_t n = 0;

    for (int digits = 15; digits <= 17; digits++) {
        n = decimal_digits(text, v, digits);
        text[n] = '\0';
        if (decimal_parse(text, NULL) == v)
            break;
    }
    memcpy(to, text, n);
    return n;
}

double decimal_parse(const char *text, char **end)
{
    locale_t before = decimal_plain();
    double v = strtod(text, end);

    uselocale(before);
    return v;
}

uint64_t decimal_share(double share, uint64_t n)
{
    __extension__ typedef unsigned __int128 u128;
    char text[DECIMAL_REAL + 1];
    u128 digits = 0, power = 1;
    int scale = 0;
    bool point = false;
    char *p = text;

    text[decimal_shortest(text, share)] = '\0';
    for (; *p && *p != 'e'; p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        digits = digits * 10 + (unsigned)(*p - '0');
        scale += point;
    }
    if (*p == 'e')
        scale -= atoi(p + 1);
    if (scale > 28) /* less than 10^17 / 10^29 * 2^32, which is below 1 */
        return 0;
    while (scale-- > 0)
        power *= 10;
    return (uint64_t)(digits * n / power);
}

/* All powers in the table are exact, so a product with one of them has an error
 * of at most half a unit in the last of 53 bits, far below the ninth digit. */
size_t decimal_real(char *to, double v)
{
    static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                    1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14 };
    char digits[DIGITS + 1], *p = to;
    double size = fabs(v);
    int point = 0, kept; /* point: number of digits before the point */
    uint32_t whole;

    if (v == 0) {
        *to = '0';
        return 1;
    }
    if (!(size >= 1e-4 && size < 1e8))
        return decimal_digits(to, v, DIGITS);
    while (size >= power[point])
        point++;
    while (size < 0.1 && point > -4 && size * power[-point] < 0.1)
        point--;
    whole = (uint32_t)(size * power[DIGITS - point] + 0.5);
    if (whole >= 1000000000) { /* rounding added a digit */
        whole /= 10;
        point++;
    }
    for (int i = DIGITS - 2; i > 0; i -= 2, whole /= 100)
        memcpy(digits + i, hundred + 2 * (whole % 100), 2);
    digits[0] = (char)('0' + whole);
    for (kept = DIGITS; kept > point && digits[kept - 1] == '0'; kept--)
        if (kept == 1)
            break;
    if (v < 0)
        *p++ = '-';
    if (point <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = point; i < 0; i++)
            *p++ = '0';
        memcpy(p, digits, (size_t)kept);
        return (size_t)(p + kept - to);
    }
    memcpy(p, digits, (size_t)point);
    p += point;
    if (kept > point) {
        *p++ = '.';
        memcpy(p, digits + point, (size_t)(kept - point));
        p += kept - point;
    }
    return (size_t)(p - to);
}
