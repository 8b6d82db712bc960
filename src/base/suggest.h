/* suggest.h - find the known name that is most similar to a mistyped word, for
 * "did you mean" suggestions.
 *
 *     struct suggest n;
 *
 *     suggest_init(&n, "indx");
 *     for each known name
 *         suggest_try(&n, name);
 *     n.best is "index"
 *
 * Cost       At most 64 * 64 steps per name.
 */
#ifndef COOC_SUGGEST_H
#define COOC_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#define SUGGEST_LEN 64 /* characters; longer names are never suggested */

/* Decode s[0..len) into code points; return their number, or 0 if there are
 * more than SUGGEST_LEN. */
size_t suggest_code_points(const char *s, size_t len, int32_t out[SUGGEST_LEN]);

/* Return the number of characters to insert, delete, replace or swap with their
 * neighbour to turn a[0..n) into b[0..m), or limit + 1 if it exceeds limit.
 * n and m are at most SUGGEST_LEN. */
unsigned edit_distance(const int32_t *a, size_t n, const int32_t *b,
                       size_t m, unsigned limit);

struct suggest {
    const char *word;
    const char *best; /* NULL if no name is similar enough */
    unsigned distance;
};

/* Start with the mistyped word, then try every known name. */
void suggest_init(struct suggest *n, const char *word);
void suggest_try(struct suggest *n, const char *name);

#endif
