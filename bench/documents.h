/* documents.h - generated documents with the statistics of Web pages.
 *
 * The model is WT10G, the Web pages in table 1 of Billerbeck et al., arXiv
 * 2007.08709: lengths, vocabulary and distinct pairs grow with the number of
 * documents as they do there (documents.c explains how).  The documents
 * depend on the seed only: a larger collection begins with the documents of a
 * smaller one, and integer arithmetic gives the same documents everywhere.
 *
 * Terms are numbered in order of first occurrence.  The terms of a document
 * are in no particular order.
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
    uint32_t *df;       /* document frequency of each term */

    size_t postings_cap, df_cap, last_cap;
    uint32_t *last;     /* last document of each term, counted from 1 */
    uint32_t *common;   /* the common terms: 0, 1, 2, ... */
    uint64_t random;    /* state of the random number generator */
    uint64_t wanted;    /* target vocabulary, in units of 1/TERM_PARTS term */
};

int documents_init(struct documents *d, uint64_t seed, struct cooc_err *err);
void documents_release(struct documents *d);

/* Make the next document.  *terms stays valid until the next call. */
int documents_next(struct documents *d, const uint32_t **terms, uint32_t *n,
                   struct cooc_err *err);

/* Write a term as a word that the tokeniser does not change.  Returns its
 * length, at most TERM_NAME_MAX. */
#define TERM_NAME_MAX 10u
size_t term_spell(uint32_t term, char *out);

#endif
