/* ascii_case.h - strcasecmp() for names that are ASCII by definition.
 *
 * The one of the C library asks the locale of the program around us, and in a
 * Turkish one TITLE is not title.
 */
#ifndef COOC_ASCII_CASE_H
#define COOC_ASCII_CASE_H

#include <stddef.h>

static inline int ascii_lower(char c)
{
    unsigned char u = (unsigned char)c;

    return u >= 'A' && u <= 'Z' ? u + ('a' - 'A') : u;
}

static inline int ascii_ncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = ascii_lower(a[i]), y = ascii_lower(b[i]);

        if (x != y || !x)
            return x - y;
    }
    return 0;
}

static inline int ascii_casecmp(const char *a, const char *b)
{
    return ascii_ncasecmp(a, b, (size_t)-1);
}

#endif
