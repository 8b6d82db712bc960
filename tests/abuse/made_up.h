/* made_up.h - small stores of generated documents. */
#ifndef COOC_TEST_MADE_UP_H
#define COOC_TEST_MADE_UP_H

#include <stdint.h>

enum {
    COUNTED = 1,
    LISTS = 2,      /* with a stop list and a thesaurus */
    THEN_COUNT = 4, /* with a note, as if a count would follow */
};

struct made_up {
    const char *name, *input; /* files in the directory, without suffix; the
                               * store contains the name of the input */
    unsigned documents, terms, length; /* length: maximum per document */
    uint64_t seed;
    unsigned with;
    uint32_t compact_df; /* 0: all rows */
};

/* Write the documents and make the store; free() its path.  Both functions exit
 * on failure. */
char *made_up_store(const char *dir, const struct made_up *k);
/* The path of the documents; for free(). */
char *made_up_input(const char *dir, const struct made_up *k);

#endif
