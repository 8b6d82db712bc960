/* number.h - numbers as the user writes them and as we print them.
 *
 * Parsing is strict: decimal digits and the stated suffix, no sign, no
 * blanks, nothing behind.  A function that returns false leaves *out alone.
 * Nothing here depends on the locale.
 */
#ifndef COOC_ASK_NUMBER_H
#define COOC_ASK_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_MAX 64 /* bytes that hold any number printed here */

/* A number of documents, or a share of them: one of the two is 0. */
struct share {
    uint64_t count;
    double part; /* above 0, at most 1 */
};

bool parse_u64(const char *s, uint64_t max, uint64_t *out);

/* Bytes, with an optional K, M, G or T for powers of 1024. */
bool parse_size(const char *s, uint64_t *out);

/* "25" is a count; "2.5%" is a share, above 0% and at most 100%. */
bool parse_share(const char *s, struct share *out);

/* "2", "-0.5", "1e-9": a sign, a point and an exponent may be there. */
bool parse_real(const char *s, double *out);

/* 1234567 -> "1,234,567".  These fill and return buf. */
char *format_count(char buf[NUMBER_MAX], uint64_t v);

/* A real with so many decimals and thousands separators. */
char *format_real(char buf[NUMBER_MAX], double v, int decimals);

/* The shortest text that reads back as v; "inf", "-inf", "nan". */
char *format_exact(char buf[NUMBER_MAX], double v);

/* 10 to the power of x <= 0 in so many digits, 16 at most, also where it is
 * too small for a double: -5000.7 -> "2.00e-5001". */
char *format_power(char buf[NUMBER_MAX], double x, int digits);

/* As parse_size() reads it: 536870912 -> "512M". */
char *format_size(char buf[NUMBER_MAX], uint64_t v);

/* The word that goes with n things: plural(1, "is", "are") -> "is". */
static inline const char *plural(uint64_t n, const char *one,
                                 const char *many)
{
    return n == 1 ? one : many;
}

#endif
