/* reduce.h - one worker's part in reading: a document's text becomes the
 * list of its distinct terms, each once, under provisional ids.
 *
 * Threads    Each worker has a reducer of its own.
 */
#ifndef COOC_REDUCE_H
#define COOC_REDUCE_H

#include <stddef.h>
#include <stdint.h>

#include "cooc.h"
#include "dict/dict.h"
#include "token/token.h"

#define WORDS_AHEAD 8 /* words looked up while the next are found */

struct watch;

struct reducer {
    struct dict *terms; /* of this run */
    uint32_t *ids;      /* of the documents added, one after the other */
    uint64_t n_ids;     /* set to 0 to begin anew */
    uint32_t doc;       /* documents of this run */

    size_t ids_cap;
    uint64_t doc_start; /* where the document's ids begin */
    bool capped;        /* the document has more terms than cap */
    uint32_t cap;       /* terms kept of a document; 0: all */
    struct tokeniser *tok;
    struct dict *words; /* only if the rules rename or drop */
    struct tally *tally;
    size_t tally_cap;
    struct fate *fates;
    size_t fates_cap;
    uint32_t n_fates;
    bool stems;         /* so tokens of words are counted: */
    uint64_t *tokens;   /* by word */
    size_t tokens_cap;
    struct dict_word ahead[WORDS_AHEAD]; /* a ring */
    unsigned ahead_first, n_ahead;
    struct cooc_index_report sums;
    struct watch *watch; /* asked in long documents; NULL: nobody */
};

int reducer_init(struct reducer *r, const struct rules *rules, uint32_t cap,
                 struct cooc_err *err);
void reducer_release(struct reducer *r);

/* Append the distinct terms of a document to ids. */
int reducer_add(struct reducer *r, const char *text, size_t len,
                struct cooc_err *err);

/* The df of every term of this run, a new array for mem_free(). */
int reducer_df(const struct reducer *r, uint32_t **df, struct cooc_err *err);

/* A kept word of this run as it enters the stemmer. */
struct word_form {
    const char *form;
    size_t len;
    bool is_preferred; /* by the thesaurus; otherwise it is the word */
    uint32_t term;
    uint64_t tokens;   /* in documents that kept the term; above 0 */
};

/* False if the word was dropped.  Only where the rules stem. */
bool reducer_form(const struct reducer *r, uint32_t word,
                  struct word_form *out);

uint64_t reducer_memory(const struct reducer *r);
void reducer_clear(struct reducer *r); /* begin a new run */
/* Add what was dropped on the way. */
void reducer_report(const struct reducer *r, struct cooc_index_report *out);

#endif
