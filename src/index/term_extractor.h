/* term_extractor.h - one worker's part in reading: a document's text becomes
 * the list of its distinct terms, each once, under provisional ids.
 *
 * Threads    Each worker has an extractor of its own.
 */
#ifndef COOC_TERM_EXTRACTOR_H
#define COOC_TERM_EXTRACTOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/dict.h"
#include "cooc.h"
#include "cooc_build.h"
#include "token/token.h"

#define WORDS_PENDING 8 /* words looked up while the next are found */

struct index_job;
struct name_record;
struct watch;

struct term_extractor {
    struct dict *terms; /* of the documents since term_extractor_clear() */
    uint32_t doc;       /* number of those documents */
    uint32_t doc_terms; /* distinct terms of the last one */

    struct buf *ids;
    size_t doc_start; /* of the document, in ids */
    uint32_t cap; /* terms kept of a document; 0: all */
    struct tokeniser *tok;
    struct dict *words; /* only if the rules rename or drop */
    struct tally *tally;
    size_t tally_cap;
    struct word_result *results;
    size_t results_cap;
    uint32_t n_results;
    bool stems;         /* so tokens of words are counted: */
    uint64_t *tokens;   /* by word */
    size_t tokens_cap;
    struct dict_word pending[WORDS_PENDING]; /* a ring */
    unsigned pending_first, n_pending;
    uint64_t n_tokens, capped_documents, capped_tokens;
    uint64_t verdicts[TOKEN_VERDICTS]; /* tokens with each, if there are
                                        * words */
    struct watch *watch; /* asked in long documents; may be NULL */
};

/* For the rules of job; ids, which is the caller's, takes the terms. */
int term_extractor_init(struct term_extractor *r, const struct index_job *job,
                        struct buf *ids, struct cooc_err *err);
void term_extractor_release(struct term_extractor *r);

/* Append the distinct terms of a document to ids, as u32. */
int term_extractor_add(struct term_extractor *r, const char *text, size_t len,
                       struct cooc_err *err);

/* The df of a term: a name_fill_fn for r->terms. */
int term_extractor_df(void *self, struct name_record *r, struct cooc_err *err);

/* Make the record of a word, by its id, that of the form that enters the
 * stemmer: the id of its term, the number of tokens in documents that kept the
 * term, the word itself or (*preferred) what the thesaurus has for it.  False
 * if the word was dropped.  Only where the rules stem. */
bool term_extractor_form(const struct term_extractor *r,
                         struct name_record *rec, bool *preferred);

uint64_t term_extractor_memory(const struct term_extractor *r);
/* Forget terms, words and df. */
void term_extractor_clear(struct term_extractor *r);
/* Add what was dropped on the way. */
void term_extractor_report(const struct term_extractor *r,
                           struct cooc_index_report *out);

#endif
