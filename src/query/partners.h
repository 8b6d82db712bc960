/* partners.h - the terms that co-occur with a term or in a set of documents.
 *
 * Partners of term t come from two places:
 *
 *     s < t   the row of t, if it is stored, or the beginnings of the documents
 *             of t
 *     s > t   the rest of the documents of t, after t; or, if few terms s are
 *             wanted, column t of the rows of s, or wherever the count of a
 *             single pair is found fastest (pair_count.c)
 *
 * The way that is estimated to be the cheapest is chosen.
 */
#ifndef COOC_PARTNERS_H
#define COOC_PARTNERS_H

#include "base/entry.h"
#include "query/doc_terms.h"

/* Memory for queries, and the result of the last one.  An all-zero struct is
 * ready for use after doc_terms_init(). */
struct partners {
    struct doc_terms docs;
    struct row_reader row;
    struct entry *found; /* pairs that were looked up one by one */
    size_t found_cap;
    const struct entry *entries; /* ascending */
    size_t n;
};

void partners_release(struct partners *p);

/* Get the terms [first, last) of a set of documents, each with its number of
 * documents in the set.  The term of the set itself may be missing. */
int partners_in_docs(struct partners *p, const struct cooc *db,
                     const struct doc_set *docs, uint32_t first, uint32_t last,
                     struct cooc_err *err);

/* If the set is the posting list of a term t and reading row t is cheaper than
 * counting terms [first, t) in the documents, get the row and set *from to
 * t + 1; otherwise get nothing and set *from to first.  Either way the rest is
 * [*from, last).  perhaps_all: the caller hopes not to need the rest. */
int partners_in_row(struct partners *p, const struct cooc *db,
                    const struct doc_set *docs, uint32_t first, uint32_t last,
                    bool perhaps_all, uint32_t *from, struct cooc_err *err);

/* Get the terms of the documents of x; x itself may be among them. */
int partners_of_term(struct partners *p, const struct cooc *db, uint32_t x,
                     struct cooc_err *err);

#endif
