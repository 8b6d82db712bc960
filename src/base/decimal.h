/* decimal.h - numbers as text, fast: for files with billions of them.
 *
 * No NUL is written; the length is returned.  Nothing depends on the locale.
 */
#ifndef COOC_DECIMAL_H
#define COOC_DECIMAL_H

#include <locale.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_U64 20  /* bytes of room */
#define DECIMAL_REAL 24

size_t decimal_u64(char *to, uint64_t v);

/* Nine significant digits, without zeros at the end: "0.25", "-3.5", "7",
 * "1.5e-09", "inf", "-inf". */
size_t decimal_real(char *to, double v);

/* The same with up to 17 digits: those tell every number from any other. */
size_t decimal_digits(char *to, double v, int digits);

/* The shortest decimal that reads back as v, which is finite: "0.29". */
size_t decimal_shortest(char *to, double v);

/* The integer part of share * n, exactly, where share is the decimal number
 * that a person wrote: 0.29 of 100 is 29, though the double nearest to 0.29 is
 * a little less.  share is between 0 and 1, n below 2^32. */
uint64_t decimal_share(double share, uint64_t n);

/* strtod(), likewise. */
double decimal_parse(const char *text, char **end);

/* For others that write or read numbers: from here on this thread has a plain
 * decimal point, until uselocale() with what is returned. */
locale_t decimal_plain(void);

#endif
