/* rules.h - the rules that a tokeniser applies; private to token/. */
#ifndef COOC_RULES_H
#define COOC_RULES_H

#include "kernel/classify.h"
#include "token/phrases.h"
#include "token/thesaurus.h"
#include "token/token.h"

struct tokeniser;

/* An entry of a list. */
struct list_entry {
    size_t words;    /* 0, 1, or more if it is a phrase */
    bool is_new;     /* a phrase that no entry before has */
    const char *name; /* the word, or the name of the phrase */
    size_t len;
};

/* Split the entry text into words with t, a tokeniser of unfinished rules.  If
 * r has phrases, add an entry of several words to them; otherwise, more than
 * one word is only counted.  The name lives until the next call. */
int rules_read_entry(struct rules *r, struct tokeniser *t, const char *text,
                     size_t len, const char *list, unsigned long line,
                     struct list_entry *out, struct cooc_err *err);

/* Read the lists of phrases, each of which may be missing; fill r->listed. */
int phrase_lists_read(struct rules *r, struct tokeniser *t,
                      const struct text_list *phrases,
                      const struct text_list *terms, struct cooc_err *err);

struct rules {
    enum token_mode mode;
    bool keep_case, drop_numbers;
    uint32_t min_length, max_length; /* characters; 0: no limit */
    char *stem;                      /* Snowball language, or NULL */
    struct byte_classes kinds; /* of ASCII characters */
    struct phrases *phrases; /* NULL: entries of lists are single words */
    struct buf listed; /* entries of --phrases and --terms that are phrases, one
                        * per line, in byte order */
    bool keep_phrase_words;
    struct dict *stop; /* NULL: no stop list */
    struct thesaurus thesaurus;
};

#endif
