/* bib_strings.h - the strings that a BibTeX file defines: name -> value. */
#ifndef COOC_BIB_STRINGS_H
#define COOC_BIB_STRINGS_H

#include <stddef.h>

#include "base/buf.h"

struct cooc_err;
struct dict;

#define BIB_STRING_MAX ((size_t)64 << 10) /* of a value; the rest is dropped */

struct bib_string {
    size_t at, len; /* of the value in text */
};

/* An all-zero struct is empty. */
struct bib_strings {
    struct dict *names; /* in lower case; NULL: none is defined */
    struct bib_string *values;
    size_t cap;
    struct buf text;
};

/* Define or redefine a string. */
int bib_strings_add(struct bib_strings *s, const char *name, size_t name_len,
                    const char *value, size_t len, struct cooc_err *err);

/* Replace a name by its value, if it is defined.  Names match in any case. */
void bib_strings_find(struct bib_strings *s, const char **name, size_t *len);

void bib_strings_clear(struct bib_strings *s);

#endif
