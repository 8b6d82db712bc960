/* reduce.h - one worker's part in reading: a document's text becomes the
 * list of its distinct terms, each once, under provisional ids.
 *
 * Threads    Each worker has a reducer of its own.
 */
#ifndef COOC_REDUCE_H
#define COOC_REDUCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/dict.h"
#include "cooc.h"
#include "cooc_build.h"
#include "token/token.h"

#define WORDS_AHEAD 8 /* words looked up while the next are found */

struct index_job;
struct name_record;
struct watch;

struct reducer {
    struct dict *terms; /* of the documents since reducer_clear() */
    uint32_t doc;       /* number of those documents */
    uint32_t doc_terms; /* distinct terms of the last one */

    struct buf *ids;
    size_t doc_start; /* of the document, in ids */
    uint32_t cap; /* terms kept of a document; 0: all */
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
    uint64_t n_tokens, capped_documents, capped_tokens;
    uint64_t verdicts[TOKEN_VERDICTS]; /* tokens with each, if there are
                                        * words */
    struct watch *watch; /* asked in long documents; may be NULL */
};

/* For the rules of job; ids, which is the caller's, takes the terms. */
int reducer_init(struct reducer *r, const struct index_job *job,
                 struct buf *ids, struct cooc_err *err);
void reducer_release(struct reducer *r);

/* Append the distinct terms of a document to ids, as u32. */
int reducer_add(struct reducer *r, const char *text, size_t len,
                struct cooc_err *err);

/* The df of a term: a name_fill_fn for r->terms. */
int reducer_df(void *self, struct name_record *r, struct cooc_err *err);

/* Make the record of a word, by its id, that of the form that enters the
 * stemmer: the id of its term, the number of tokens in documents that kept the
 * term, the word itself or (*preferred) what the thesaurus has for it.  False
 * if the word was dropped.  Only where the rules stem. */
bool reducer_form(const struct reducer *r, struct name_record *rec,
                  bool *preferred);

uint64_t reducer_memory(const struct reducer *r);
void reducer_clear(struct reducer *r); /* forget terms, words and df */
/* Add what was dropped on the way. */
void reducer_report(const struct reducer *r, struct cooc_index_report *out);

#endif
