/* made_up.h - small stores of made-up documents. */
#ifndef COOC_TEST_MADE_UP_H
#define COOC_TEST_MADE_UP_H

#include <stdint.h>

enum {
    COUNTED = 1,
    LISTS = 2,      /* with a stop list and a thesaurus */
    THEN_COUNT = 4, /* with a note, as if a count were to follow */
};

struct made_up {
    const char *name, *input; /* files in the directory, without suffix; the
                               * input's name is in the store */
    unsigned documents, terms, length; /* length: of a document, at most */
    uint64_t seed;
    unsigned with;
    uint32_t compact_df; /* 0: all rows */
};

/* Write the documents and make the store; its path is for free().  These end
 * the program if they fail. */
char *made_up_store(const char *dir, const struct made_up *k);
/* Where the documents were written; for free(). */
char *made_up_input(const char *dir, const struct made_up *k);

#endif
