/* pattern.h - shell patterns over UTF-8 characters, independent of the locale.
 * */
#ifndef COOC_PATTERN_H
#define COOC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether pattern[0..n) matches all of text[0..len).
 *
 *     *        any characters, or none
 *     ?        one character
 *     [a-zé]   one character of the set; [!a-z] or [^a-z]: one outside it
 *     \*       a literal '*'; likewise for every other character
 *
 * A '[' without a ']' matches itself.  The time is at most proportional to the
 * length of the text times the length of the pattern. */
bool pattern_matches(const char *pattern, size_t n, const char *text,
                     size_t len);

/* The number of bytes at the beginning of the pattern that match literally. */
size_t pattern_head(const char *pattern, size_t n);

#endif
