/* number.h - parse numbers from users, and format numbers for output.
 *
 * Parsing is strict: decimal digits and the suffix described below, without
 * sign, blanks or trailing characters.  A function that returns false does not
 * change *out.  Nothing here depends on the locale.
 */
#ifndef COOC_ASK_NUMBER_H
#define COOC_ASK_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_MAX 64 /* size of a buffer for any number formatted here */

/* A number of documents, or a share of all documents; the other member is 0. */
struct share {
    uint64_t count;
    double part; /* above 0, at most 1 */
};

/* One of several parts of a job, such as 3/64; 0/0: not given. */
struct part_of {
    uint32_t part, parts; /* 1 <= part <= parts */
};

bool parse_u64(const char *s, uint64_t max, uint64_t *out);

/* Parse a number of bytes with an optional K, M, G or T (powers of 1024). */
bool parse_size(const char *s, uint64_t *out);

/* Parse a count such as "25", or a share such as "2.5%", which must be above 0%
 * and at most 100%. */
bool parse_share(const char *s, struct share *out);

/* Parse a part such as "3/64". */
bool parse_part(const char *s, struct part_of *out);

/* Parse a finite real such as "2", "-0.5" or "1e-9". */
bool parse_real(const char *s, double *out);

/* Format an integer with thousands separators: 1234567 -> "1,234,567".  This
 * and the following functions fill and return buf. */
char *format_count(char buf[NUMBER_MAX], uint64_t v);

/* Format a real with thousands separators and the given number of decimals. */
char *format_real(char buf[NUMBER_MAX], double v, int decimals);

/* Format v as the shortest text that parses to v again; or "inf", "-inf",
 * "nan". */
char *format_exact(char buf[NUMBER_MAX], double v);

/* Format 10 to the power of x <= 0 with the given number of digits, at most 16,
 * even if it is too small for a double: -5000.7 -> "2.00e-5001". */
char *format_power(char buf[NUMBER_MAX], double x, int digits);

/* Format a number of bytes as parse_size() accepts it: 536870912 -> "512M". */
char *format_size(char buf[NUMBER_MAX], uint64_t v);

/* Choose the singular or plural for n: plural(1, "is", "are") -> "is". */
static inline const char *plural(uint64_t n, const char *one,
                                 const char *many)
{
    return n == 1 ? one : many;
}

#endif
