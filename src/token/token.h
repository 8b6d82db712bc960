/* token.h - from text to words, and from words to terms.
 *
 *     text --tokeniser_next--> folded words --tokeniser_term--> terms
 *
 * The first step finds word boundaries and folds case.  The second drops or
 * renames a word (length, numbers, stop list, thesaurus, stemming); its
 * answer depends on the word alone, so callers remember it per word.
 *
 * Threads    Rules are read-only once made and shared; each thread has a
 *            tokeniser of its own.
 */
#ifndef COOC_TOKEN_H
#define COOC_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list_lines.h"

struct buf;
struct cooc_err;

#define TERM_MAX 65535u /* bytes; longer words are dropped and reported */
#define WORD_SLACK 16   /* bytes to be read at any word, however short */

/* Folding is Unicode's full default case folding, then NFC.  With keep_case
 * words are still brought into NFC, what is between white space is not. */
enum token_mode {
    TOKENS_WORDS,      /* UAX #29 words with ICU's dictionaries, if there
                        * is a letter or a digit in them */
    TOKENS_WHITESPACE, /* runs of anything but Unicode white space */
    TOKENS_LINES,      /* reduced input: a term a line, taken as it is */
};

struct rules_options {
    enum token_mode mode;
    bool keep_case, drop_numbers;
    uint32_t min_length, max_length; /* characters; 0: no limit */
    struct text_list stop;           /* words; # begins a comment line */
    struct text_list thesaurus;      /* variant TAB preferred; the same */
    const char *stem;                /* Snowball language, or NULL */
};

struct rules;
int rules_new(struct rules **out, const struct rules_options *o,
              struct cooc_err *err);
void rules_free(struct rules *r);
/* True if tokeniser_term() keeps every word of up to TERM_MAX bytes. */
bool rules_are_plain(const struct rules *r);
/* True if words are stemmed, so that a term may have several forms. */
bool rules_stem(const struct rules *r);

/* The version of ICU, as in "72.1". */
#define TOKEN_ICU_MAX 20
void token_icu_version(char out[TOKEN_ICU_MAX]);

struct tokeniser;
int tokeniser_new(struct tokeniser **out, const struct rules *rules,
                  struct cooc_err *err);
void tokeniser_free(struct tokeniser *t);

/* Begin with text, which must stay until its words are read. */
void tokeniser_start(struct tokeniser *t, const char *text, size_t len);

/* 1: the next word, valid UTF-8, folded, living until the next call;
 * 0: no more; < 0: failed.  WORD_SLACK bytes are readable at it, so that short
 * words can be loaded whole; what is behind its end has no meaning.  Of a word
 * that tokeniser_term() will find longer than TERM_MAX the end may be missing.
 */
int tokeniser_next(struct tokeniser *t, const char **word, size_t *len,
                   struct cooc_err *err);

/* Invalid bytes met so far in all texts; each ill-formed sequence of them is
 * read as one U+FFFD, which is in no word of TOKENS_WORDS. */
uint64_t tokeniser_invalid_bytes(const struct tokeniser *t);

enum token_verdict {
    TOKEN_KEPT,    /* as it is */
    TOKEN_RENAMED, /* by stemming */
    TOKEN_MERGED,  /* by the thesaurus */
    TOKEN_STOP,
    TOKEN_SHORT,
    TOKEN_LONG,
    TOKEN_NUMBER,
    TOKEN_UNWANTED, /* the thesaurus has no preferred form for it */
    TOKEN_VERDICTS
};

/* What becomes of a word.  Judged in this order: too long for us, number,
 * length, stop list, thesaurus, stem.  A preferred form of the thesaurus is
 * stemmed like any word (each of its words, if it has several), and no other
 * rule applies to it.  Unless dropped, *term lives until the next call on this
 * tokeniser (it may be the word itself). */
int tokeniser_term(struct tokeniser *t, const char *word, size_t len,
                   enum token_verdict *verdict, const char **term,
                   size_t *term_len, struct cooc_err *err);

/* The word as it enters the stemmer: its preferred form if it is a variant,
 * otherwise the word itself. */
void tokeniser_form(const struct tokeniser *t, const char *word, size_t len,
                    const char **form, size_t *form_len);

/* 1: text, folded as a whole, is a preferred form of the thesaurus, and *term,
 * which lives until the next call, is its term; 0: it is not. */
int tokeniser_preferred(struct tokeniser *t, const char *text, size_t len,
                        const char **term, size_t *term_len,
                        struct cooc_err *err);

/* Append the name that text would have as a preferred form: folded as a whole,
 * not cut into words. */
int tokeniser_fold(struct tokeniser *t, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err);

#endif
