/* thesaurus.h - variants of words and the forms preferred to them.
 *
 * An all-zero struct thesaurus is empty and valid.
 *
 * Threads    Many readers once it is loaded.
 */
#ifndef COOC_THESAURUS_H
#define COOC_THESAURUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct dict;
struct text_list;
struct tokeniser;
struct thesaurus_entry;

struct thesaurus {
    struct dict *variants; /* the id of a word is its entry */
    struct thesaurus_entry *entries;
    size_t n, cap;
    struct buf forms; /* the preferred ones, end to end */
    struct dict *preferred; /* those at the end of a chain */
};

void thesaurus_release(struct thesaurus *t);

/* Read the list: variants are cut to words and preferred forms are folded by
 * words, or both are taken as they are if exact. */
int thesaurus_load(struct thesaurus *t, const struct text_list *list,
                   struct tokeniser *words, bool exact, struct cooc_err *err);

/* True, and the preferred form, if word is a variant. */
bool thesaurus_find(const struct thesaurus *t, const char *word, size_t len,
                    const char **form, size_t *form_len);

/* Is it the preferred form of some word? */
bool thesaurus_prefers(const struct thesaurus *t, const char *form,
                       size_t len);

#endif
