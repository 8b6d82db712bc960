/* pattern.h - shell patterns, in characters of UTF-8 whatever the locale. */
#ifndef COOC_PATTERN_H
#define COOC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Does pattern[0..n) stand for all of text[0..len)?
 *
 *     *        any characters, or none
 *     ?        one character
 *     [a-zé]   one of these; [!a-z] or [^a-z]: one, but none of these
 *     \*       the '*' itself, and so for every character
 *
 * A '[' without its ']' is itself.  The time is at most that of comparing
 * the text with the pattern at every place. */
bool pattern_matches(const char *pattern, size_t n, const char *text,
                     size_t len);

/* How many bytes at the beginning stand for themselves. */
size_t pattern_head(const char *pattern, size_t n);

#endif
