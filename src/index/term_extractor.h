/* term_extractor.h - turn the text of a document into its distinct terms, under
 * provisional ids.
 *
 * Threads    Each worker has its own extractor.
 */
#ifndef COOC_TERM_EXTRACTOR_H
#define COOC_TERM_EXTRACTOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/dict.h"
#include "cooc.h"
#include "cooc_build.h"
#include "token/phrase_match.h"
#include "token/token.h"

struct document;
struct index_job;
struct name_record;
struct watch;

#define TERMS_LEFT_MAX 512u

struct term_extractor {
    struct dict *terms; /* terms since the last term_extractor_clear() */
    uint32_t doc;       /* documents since then */
    uint32_t doc_terms; /* distinct terms of the last document */

    struct buf *ids;
    size_t doc_start; /* start of the current document in ids, in bytes */
    uint32_t cap; /* terms kept per document; 0: all */
    struct tokeniser *tok;
    struct dict *words; /* NULL unless the rules rename or drop words */
    struct tally *tally;
    size_t tally_cap;
    struct word_result *results;
    size_t results_cap;
    uint32_t n_results;
    bool marks;         /* marks in r->terms replace tallies */
    bool stems;         /* the rules stem words */
    uint64_t *tokens;   /* tokens of each word, if the rules stem */
    size_t tokens_cap;
    uint64_t n_tokens, capped_documents, capped_tokens;

    /* The rest is for phrases (phrase_terms.c).  A phrase is treated as if its
     * name were a word. */
    const struct phrases *phrases; /* NULL: none */
    struct phrase_match match;
    struct phrase_word *known; /* by id of a word */
    size_t known_cap;
    uint32_t n_known;
    uint32_t *phrase_ids; /* id of the name of each phrase, or DICT_NONE */
    uint64_t n_phrases;   /* found so far */
    uint32_t left[TERMS_LEFT_MAX]; /* words and phrases to be noted */
    size_t n_left;
    /* Number of tokens with each verdict, if words is not NULL. */
    uint64_t verdicts[TOKEN_VERDICTS];
    struct watch *watch; /* may cancel in long documents; may be NULL */
};

/* Prepare to extract terms by the rules of job.  Terms are appended to ids,
 * which the caller owns. */
int term_extractor_init(struct term_extractor *r, const struct index_job *job,
                        struct buf *ids, struct cooc_err *err);
void term_extractor_release(struct term_extractor *r);

/* Append the distinct terms of a document to ids, as u32. */
int term_extractor_add(struct term_extractor *r, const struct document *doc,
                       struct cooc_err *err);

/* No more documents use the terms added so far: prepare for
 * term_extractor_df(). */
int term_extractor_finish(struct term_extractor *r, struct cooc_err *err);
/* name_fill_fn for r->terms: set the number of a record to the df of its
 * term. */
int term_extractor_df(void *self, struct name_record *r, struct cooc_err *err);

/* Turn the record of a word, given by its id, into the record of its surface
 * form: the id of its term, the number of tokens in documents that kept the
 * term, and the word itself or, if *preferred, its preferred form in the
 * thesaurus.  False if the word was dropped.  Only if the rules stem words. */
bool term_extractor_form(const struct term_extractor *r,
                         struct name_record *rec, bool *preferred);

uint64_t term_extractor_memory(const struct term_extractor *r);
/* Forget terms, words and df. */
void term_extractor_clear(struct term_extractor *r);
/* Add the numbers of tokens read, merged and dropped to *out. */
void term_extractor_report(const struct term_extractor *r,
                           struct cooc_index_report *out);

/* ---- between term_extractor.c and phrase_terms.c ---- */

/* Apply the rules to the word with the next id. */
int term_extractor_learn(struct term_extractor *r, uint32_t id,
                         const char *word, size_t len, struct cooc_err *err);
/* Note occurrences, in the current document, of words that are known. */
int term_extractor_take(struct term_extractor *r, const uint32_t *words,
                        size_t n, struct cooc_err *err);

int phrase_terms_init(struct term_extractor *r, const struct rules *rules,
                      struct cooc_err *err);
void phrase_terms_release(struct term_extractor *r);
void phrase_terms_clear(struct term_extractor *r);
/* Process words of at most TERM_MAX bytes, in d. */
int phrase_terms_take(struct term_extractor *r, struct dict *d,
                      const char *text, const uint32_t *at, size_t n,
                      struct cooc_err *err);
/* A paragraph ends. */
int phrase_terms_end(struct term_extractor *r, struct cooc_err *err);
/* The length in bytes of the paragraph of a document that begins at byte start.
 * *end is the number of the first end that may be in it; at first 0. */
size_t phrase_terms_paragraph(const struct document *doc, size_t start,
                              size_t *end);

#endif
