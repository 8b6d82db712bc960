/* suggest.h - "did you mean": the known name nearest to a mistyped one. */
#ifndef COOC_SUGGEST_H
#define COOC_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#define SUGGEST_LEN 64 /* characters; longer words are never suggested */

/* The code points of s[0..len), at most SUGGEST_LEN; 0 if there are more. */
size_t suggest_code_points(const char *s, size_t len, int32_t out[SUGGEST_LEN]);

/* Characters to insert, delete, replace or swap with their neighbour to get
 * from a[0..n) to b[0..m), both of at most SUGGEST_LEN; limit + 1 if that is
 * more than limit. */
unsigned edit_distance(const int32_t *a, size_t n, const int32_t *b,
                       size_t m, unsigned limit);

struct suggest {
    const char *word;
    const char *best; /* NULL: nothing near enough */
    unsigned distance;
};

/* Start with the mistyped word; then offer it every known name. */
void suggest_init(struct suggest *n, const char *word);
void suggest_try(struct suggest *n, const char *name);

#endif
