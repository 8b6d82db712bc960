/* vocab.h - the words behind the numbers of a bag-of-words file.
 *
 * A word a line, the first line is number 0.  An all-zero struct vocab is
 * empty and valid.
 */
#ifndef COOC_VOCAB_H
#define COOC_VOCAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct input;

struct vocab {
    char *path; /* NULL: none was loaded */
    struct buf words;
    size_t *ends; /* of each word in words */
    size_t n, cap;
};

/* Load path, unless it is what is loaded already; NULL: empty it. */
int vocab_load(struct vocab *v, const char *path, const struct input *in,
               struct cooc_err *err);
void vocab_release(struct vocab *v);

/* Add to the body of in a line: word number index, which must exist, or if
 * no vocabulary is loaded, the number id itself. */
int vocab_add_term(const struct vocab *v, uint64_t index, uint64_t id,
                   struct input *in, struct cooc_err *err);

#endif
