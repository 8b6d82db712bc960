/* decimal.h - fast conversion between numbers and decimal text.
 *
 * Exports print billions of numbers, for which printf() is too slow.  The
 * functions write no NUL and return the number of bytes written.  The locale
 * of the program has no effect.
 *
 * Threads    Any number.
 */
#ifndef COOC_DECIMAL_H
#define COOC_DECIMAL_H

#include <locale.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_U64 20  /* maximum length in bytes */
#define DECIMAL_REAL 24

size_t decimal_u64(char *to, uint64_t v);

/* Write v with nine significant digits, without trailing zeros: "0.25",
 * "-3.5", "7", "1.5e-09", "inf", "-inf". */
size_t decimal_real(char *to, double v);

/* Write v with at most the given number of significant digits, up to 17.  With
 * 17 digits, different numbers have different texts. */
size_t decimal_digits(char *to, double v, int digits);

/* Write the shortest decimal that reads back as v: "0.29".  v is finite. */
size_t decimal_shortest(char *to, double v);

/* Return the exact integer part of share * n, where share is taken as the
 * decimal number that the user wrote: 0.29 of 100 is 29, although the nearest
 * double to 0.29 is slightly smaller.  0 <= share <= 1, n < 2^32. */
uint64_t decimal_share(double share, uint64_t n);

/* strtod() with a decimal point in every locale. */
double decimal_parse(const char *text, char **end);

/* Switch this thread to the "C" locale, for code that calls printf() or
 * strtod().  Pass the returned locale to uselocale() to switch back. */
locale_t decimal_plain(void);

#endif
