/* doc_terms.h - count the terms of a set of documents.
 *
 * There are several ways:
 *
 *     ids        add 1 to the counter of each id
 *     bitmaps    add up bitmaps for the most frequent terms (doc_heads.h), and
 *                count the ids of the remaining terms
 *     others     if the set has more than half of all documents: count the
 *                terms of the other documents, and subtract from the df
 */
#ifndef COOC_DOC_TERMS_H
#define COOC_DOC_TERMS_H

#include "base/entry.h"
#include "query/doc_set.h"
#include "rows/accum.h"

/* Memory for counting, and the result. */
struct doc_terms {
    struct accum acc;
    uint64_t *planes;
    size_t planes_cap;
    uint32_t *others;         /* documents that are not in the set */
    size_t others_cap;
    struct entry *left;       /* what subtracting leaves */
    size_t left_cap;
    const struct entry *entries; /* ascending */
    size_t n;
};

int doc_terms_init(struct doc_terms *d, uint32_t n_terms,
                   struct cooc_err *err);
void doc_terms_release(struct doc_terms *d);

/* Count the terms [first, last) of the documents. */
int doc_terms_count(struct doc_terms *d, const struct cooc *db,
                    const struct doc_set *docs, uint32_t first, uint32_t last,
                    struct cooc_err *err);

/* Estimate the time of this in nanoseconds, without verifying documents, and
 * the number of postings. */
int doc_terms_cost(const struct cooc *db, const struct doc_set *docs,
                   uint32_t first, uint32_t last, double *ns, double *ids,
                   struct cooc_err *err);

/* Estimate the share of the documents that must be verified first.  It is 1 in
 * a new process and falls with every query. */
double doc_terms_new(const struct cooc *db, const struct doc_set *docs);

/* The time to verify the documents if all are new, in nanoseconds. */
double doc_terms_verify(const struct cooc *db, const struct doc_set *docs);

#endif
