/* partners.h - everything that stands in some documents, counted.
 *
 * The partners of a term, rarer and more frequent alike, are what stands in
 * its documents: the row of the term only has half of them, and a scan of the
 * documents is fast.
 */
#ifndef COOC_PARTNERS_H
#define COOC_PARTNERS_H

#include "query/db.h"
#include "rows/accum.h"

struct partners {
    struct accum acc;
    const struct cooc_entry *entries; /* ascending */
    size_t n;
};

/* Counters as wide as the vocabulary are large, and new memory is slow: the
 * store keeps those that were given back last. */
int partners_init(struct partners *p, struct cooc *db, struct cooc_err *err);
void partners_release(struct partners *p, struct cooc *db);

/* The terms of docs[0..n_docs), each with its number of documents. */
int partners_of_docs(struct partners *p, const struct cooc *db,
                     const uint32_t *docs, uint64_t n_docs,
                     struct cooc_err *err);
/* The terms of x's documents, x among them. */
int partners_of_term(struct partners *p, const struct cooc *db, uint32_t x,
                     struct cooc_err *err);

#endif
