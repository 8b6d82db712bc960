/* thesaurus.h - map variants of words to their preferred forms.
 *
 * An all-zero struct thesaurus is empty and valid.
 *
 * Threads    Any number of readers once it is loaded.
 */
#ifndef COOC_THESAURUS_H
#define COOC_THESAURUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct dict;
struct rules;
struct text_list;
struct tokeniser;
struct thesaurus_entry;

struct thesaurus {
    struct dict *variants; /* the id of a variant is its index in entries */
    struct thesaurus_entry *entries;
    size_t n, cap;
    struct buf forms; /* all preferred forms, concatenated */
    struct dict *preferred; /* preferred forms at the end of a chain */
};

void thesaurus_release(struct thesaurus *t);

/* Load the list.  Variants are split into words and preferred forms are folded
 * with the tokeniser words, or both are taken unchanged with TOKENS_LINES.  If
 * the unfinished rules r have phrases, entries of several words are added to
 * them. */
int thesaurus_load(struct thesaurus *t, const struct text_list *list,
                   struct rules *r, struct tokeniser *words,
                   struct cooc_err *err);

/* If word is a variant, return true and set its preferred form, which is empty
 * if the word is to be dropped. */
bool thesaurus_find(const struct thesaurus *t, const char *word, size_t len,
                    const char **form, size_t *form_len);

/* Is form the preferred form of some variant? */
bool thesaurus_prefers(const struct thesaurus *t, const char *form,
                       size_t len);

#endif
