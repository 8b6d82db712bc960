/* ascii_case.h - character classes and case folding of ASCII, for names of
 * options, HTML tags, fields and so on.
 *
 * strcasecmp() and isalpha() depend on the locale of the program that uses the
 * library: in a Turkish locale, TITLE does not equal title.  The functions
 * below do not depend on the locale.
 */
#ifndef COOC_ASCII_CASE_H
#define COOC_ASCII_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline int ascii_lower(char c)
{
    unsigned char u = (unsigned char)c;

    return u >= 'A' && u <= 'Z' ? u + ('a' - 'A') : u;
}

static inline bool ascii_is_letter(char c)
{
    return (unsigned)(ascii_lower(c) - 'a') < 26;
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_alnum(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

/* The value of a hexadecimal digit, or -1. */
static inline int ascii_hex(char c)
{
    int v = ascii_lower(c);

    return ascii_is_digit(c) ? v - '0' : v >= 'a' && v <= 'f' ? v - 'a' + 10
                                                              : -1;
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

/* Whether text[0..len) equals word, ignoring case. */
static inline bool ascii_is(const char *text, size_t len, const char *word)
{
    return len == strlen(word) && ascii_ncasecmp(text, word, len) == 0;
}

/* Whether text[0..len) begins with word, ignoring case. */
static inline bool ascii_begins(const char *text, size_t len, const char *word)
{
    return len >= strlen(word) &&
           ascii_ncasecmp(text, word, strlen(word)) == 0;
}

#define ASCII_SPACE " \t\n\v\f\r"

static inline bool ascii_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Remove characters of the set from both ends of *text[0..*len). */
static inline void ascii_trim(const char **text, size_t *len, const char *set)
{
    size_t n = strlen(set);

    for (; *len && memchr(set, **text, n); ++*text)
        --*len;
    while (*len && memchr(set, (*text)[*len - 1], n))
        --*len;
}

#endif
