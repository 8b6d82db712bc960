/* token.h - from text to words, and from words to terms.
 *
 *     text --tokeniser_words--> folded words --tokeniser_term--> terms
 *
 * The first step finds word boundaries and folds case.  The second step drops
 * or renames a word (length, numbers, stop list, thesaurus, stemming); its
 * result depends only on the word, so callers cache it per word.
 *
 * Threads    Rules are read-only once made and can be shared; each thread has
 *            its own tokeniser.
 */
#ifndef COOC_TOKEN_H
#define COOC_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list_lines.h"

struct buf;
struct cooc_err;
struct phrases;

#define TERM_MAX 65535u /* bytes; longer words are dropped and reported */
#define WORD_SLACK 16   /* bytes readable at any word, however short */

/* Folding is Unicode's full default case folding followed by NFC.  With
 * keep_case, TOKENS_WORDS still normalises to NFC, but TOKENS_WHITESPACE leaves
 * tokens unchanged. */
enum token_mode {
    TOKENS_WORDS,      /* UAX #29 words, found with ICU's dictionaries, that
                        * contain a letter or a digit */
    TOKENS_WHITESPACE, /* runs of anything but Unicode white space */
    TOKENS_LINES,      /* reduced input: one term per line, unchanged */
    TOKENS_ITEMS,      /* one term per line, without white space around it, each
                        * run of white space in it as one blank, in NFC, and
                        * folded unless keep_case */
};

/* With phrases, every entry of several words in the lists below is a phrase:
 * where its words follow each other in a paragraph, they are one term. */
struct rules_options {
    enum token_mode mode;
    bool keep_case, drop_numbers;
    bool phrases;           /* only with TOKENS_WORDS or TOKENS_WHITESPACE */
    bool keep_phrase_words; /* count the words of a phrase as well */
    uint32_t min_length, max_length; /* characters; 0: no limit */
    struct text_list stop;           /* stop words (base/list_lines.h) */
    struct text_list thesaurus;      /* lines of variant TAB preferred form */
    const char *stem;                /* Snowball language, or NULL */
    struct text_list phrase_list;    /* phrases; single words are ignored */
    struct text_list terms;          /* the same; terms to keep */
};

struct rules;
int rules_new(struct rules **out, const struct rules_options *o,
              struct cooc_err *err);
void rules_free(struct rules *r);
/* True if every word of at most TERM_MAX bytes is a term, unchanged: there are
 * no phrases, and tokeniser_term() keeps every word. */
bool rules_are_plain(const struct rules *r);
/* True if tokeniser_term() keeps every word and phrase unchanged. */
bool rules_keep_words(const struct rules *r);
/* True if words are stemmed, so that a term may have several surface forms. */
bool rules_stem(const struct rules *r);

/* The phrases (token/phrases.h), or NULL if there are none. */
const struct phrases *rules_phrases(const struct rules *r);
bool rules_keep_phrase_words(const struct rules *r);
/* The phrases of phrase_list and terms, one per line, each in its first
 * spelling, in byte order: as phrase_list, it gives the same phrases. */
struct text_list rules_phrase_list(const struct rules *r);

/* The version of ICU, as in "72.1". */
#define TOKEN_ICU_MAX 20
void token_icu_version(char out[TOKEN_ICU_MAX]);

struct tokeniser;
int tokeniser_new(struct tokeniser **out, const struct rules *rules,
                  struct cooc_err *err);
void tokeniser_free(struct tokeniser *t);

/* Start reading text, which must stay valid until its words have been read. */
void tokeniser_start(struct tokeniser *t, const char *text, size_t len);

/* Words in the order of the text: valid UTF-8, folded.  Word i is
 * text[at[2 * i]..at[2 * i + 1]).  WORD_SLACK bytes are readable at each word,
 * so that short words can be loaded whole; bytes after its end are unspecified.
 * A word longer than TERM_MAX, which tokeniser_term() drops, may lack its end.
 *
 * What needs more than words is computed from these batches, only when asked
 * for: the position of a token is its number; phrases are matched on the ids of
 * consecutive words (phrase_match.h); a sentence or paragraph is a text of its
 * own, since no word crosses its end. */
struct words {
    const char *text;
    const uint32_t *at;
    size_t n;
    bool may_be_long; /* a word may be longer than TERM_MAX */
};

/* 1: the next words (at least one), which live until the next call; 0: no more
 * words; < 0: failed. */
int tokeniser_words(struct tokeniser *t, struct words *out,
                    struct cooc_err *err);

/* The same, one word at a time. */
int tokeniser_next(struct tokeniser *t, const char **word, size_t *len,
                   struct cooc_err *err);

/* Number of invalid bytes in all texts so far.  Each ill-formed sequence is
 * read as one U+FFFD, which is never part of a word in TOKENS_WORDS. */
uint64_t tokeniser_invalid_bytes(const struct tokeniser *t);

enum token_verdict {
    TOKEN_KEPT,    /* unchanged */
    TOKEN_RENAMED, /* changed by stemming */
    TOKEN_MERGED,  /* replaced by its preferred form */
    TOKEN_STOP,
    TOKEN_SHORT,
    TOKEN_LONG,
    TOKEN_NUMBER,
    TOKEN_UNWANTED, /* its preferred form is empty */
    TOKEN_VERDICTS
};

/* Decide what becomes of a word, or of a phrase, given by its name.  Rules
 * apply in this order: TERM_MAX, numbers, length, stop list, thesaurus,
 * stemming; numbers and length not to phrases.  A preferred form of the
 * thesaurus is stemmed like any word (each of its words, if it has several),
 * and no other rule applies to it.  Unless the word is dropped, *term lives
 * until the next call on this tokeniser; it may be the word itself. */
int tokeniser_term(struct tokeniser *t, const char *word, size_t len,
                   enum token_verdict *verdict, const char **term,
                   size_t *term_len, struct cooc_err *err);

/* The form of a word that is passed to the stemmer: its preferred form if it is
 * a variant, otherwise the word itself. */
void tokeniser_form(const struct tokeniser *t, const char *word, size_t len,
                    const char **form, size_t *form_len);

/* With TOKENS_ITEMS: write the name of an item of ASCII characters to out,
 * which has room for len bytes.  Returns false, with *out unspecified, if the
 * item has other characters. */
bool token_ascii_item(const char *item, size_t len, bool keep_case, char *out,
                      size_t *out_len);

/* 1: text, folded as a whole, is a preferred form of the thesaurus, and *term,
 * which lives until the next call, is its term; 0: it is not; < 0: failed. */
int tokeniser_preferred(struct tokeniser *t, const char *text, size_t len,
                        const char **term, size_t *term_len,
                        struct cooc_err *err);

/* Split text into words like an entry of a list.  *words is their number; if
 * they are a phrase, *name, which lives as long as the rules, is its name, and
 * otherwise NULL. */
int tokeniser_phrase(struct tokeniser *t, const char *text, size_t len,
                     size_t *words, const char **name, size_t *name_len,
                     struct cooc_err *err);

/* What a folded word means for phrases; rules_phrases() must not be NULL. */
struct phrase_word;
int tokeniser_phrase_word(struct tokeniser *t, const char *word, size_t len,
                          struct phrase_word *out, struct cooc_err *err);

/* Append text as it would be named as a preferred form: folded as a whole, not
 * split into words. */
int tokeniser_fold(struct tokeniser *t, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err);

#endif
