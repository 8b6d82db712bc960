/* tokeniser.h - the state of a tokeniser; private to token/. */
#ifndef COOC_TOKENISER_H
#define COOC_TOKENISER_H

#include "base/buf.h"
#include "token/phrases.h"
#include "token/rules.h"
#include "token/token.h"
#include "token/word_scan.h"

struct chunk_cache;
struct icu_words;
struct sb_stemmer;

struct tokeniser {
    const struct rules *rules;
    const char *at, *end; /* the rest of the text */
    struct word_scan scan;
    struct wide_kinds *wide;
    struct icu_words *icu;
    struct chunk_cache *cache;
    struct buf chunk; /* packed words of a chunk that is not in the cache */
    struct words words; /* for tokeniser_next() */
    size_t next;        /* number of the next one */
    uint64_t invalid;
    struct sb_stemmer *stemmer; /* NULL: no stemming */
    struct buf stem;            /* the last stemmed term */
    struct entry_words entry;   /* see tokeniser_split_entry() */
};

/* Append the stem of one word to out, or the word itself if its stem is
 * empty. */
int tokeniser_add_stem(struct tokeniser *t, const char *word, size_t len,
                       struct buf *out, struct cooc_err *err);

/* Split text into words, which become t->entry. */
int tokeniser_split_entry(struct tokeniser *t, const char *text, size_t len,
                          struct cooc_err *err);

#endif
