/* unlisted.h - entries of several words that are not phrases of a store.
 *
 * One error names all of them, as far as the message has room:
 *
 *     struct unlisted u = { 0 };
 *
 *     unlisted_add(&u, "breast cancer", 13);
 *     return u.n ? unlisted_error(&u, "terms.txt", err) : 0;
 */
#ifndef COOC_UNLISTED_H
#define COOC_UNLISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct unlisted {
    uint64_t n, named; /* all entries; those in the text */
    size_t len;
    char text[288]; /* 'first', 'second', ... */
};

void unlisted_add(struct unlisted *u, const char *entry, size_t len);

/* Whether an error is one of unlisted_error(). */
bool unlisted_is(const struct cooc_err *err);

/* Return COOC_EINVAL with the option phrases_file.  path: the file of the
 * entries, or NULL. */
int unlisted_error(const struct unlisted *u, const char *path,
                   struct cooc_err *err);

#endif
