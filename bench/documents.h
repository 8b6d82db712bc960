/* documents.h - made-up documents with the statistics of real ones.
 *
 * The model is that of WT10G, the Web pages of table 1 of Billerbeck et al.,
 * arXiv 2007.08709: lengths, vocabulary and distinct pairs grow with the
 * number of documents as they do there; documents.c tells how.  All depends
 * on the seed alone: more documents begin with the same ones, and arithmetic
 * is on integers, so that every machine makes the same.
 *
 * Terms are numbered as they first occur; a document's are in no order.
 */
#ifndef COOC_BENCH_DOCUMENTS_H
#define COOC_BENCH_DOCUMENTS_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;

struct documents {
    uint32_t n_docs, n_terms;
    uint64_t n_postings;
    uint32_t *postings; /* the terms of all documents made so far */
    uint32_t *df;       /* by term */

    size_t postings_cap, df_cap, last_cap;
    uint32_t *last;     /* by term: the number of the last document, from 1 */
    uint32_t *common;   /* 0, 1, 2, ...: the common terms, to be pointed at */
    uint64_t random;    /* the generator's state */
    uint64_t wanted;    /* of the vocabulary, in TERM_PARTS of a term */
};

int documents_init(struct documents *d, uint64_t seed, struct cooc_err *err);
void documents_release(struct documents *d);

/* Make the next document; its terms live until the next call. */
int documents_next(struct documents *d, const uint32_t **terms, uint32_t *n,
                   struct cooc_err *err);

/* Spell a term as a word that the tokeniser leaves as it is; its length, at
 * most TERM_NAME_MAX. */
#define TERM_NAME_MAX 10u
size_t term_spell(uint32_t term, char *out);

#endif
