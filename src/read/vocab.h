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

/* Load path as the vocabulary of in, unless it is loaded; NULL: empty it. */
int vocab_load(struct input *in, const char *path, struct cooc_err *err);
void vocab_release(struct vocab *v);

/* Add to the body of in a line: word number index of its vocabulary, which must
 * exist, or if none is loaded, the number id itself. */
int vocab_add_term(struct input *in, uint64_t index, uint64_t id,
                   struct cooc_err *err);

#endif
