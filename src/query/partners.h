/* partners.h - the terms that co-occur with a term or in a set of documents.
 *
 * Partners of term t come from two places:
 *
 *     s < t   the row of t, if it is stored, or the beginnings of the documents
 *             of t
 *     s > t   the rest of the documents of t, after t
 *
 * The row is read if that is cheaper than counting the beginnings of documents.
 */
#ifndef COOC_PARTNERS_H
#define COOC_PARTNERS_H

#include "base/entry.h"
#include "query/doc_set.h"
#include "rows/accum.h"

struct partners {
    struct accum acc;
    struct row_reader row;
    const struct entry *entries; /* ascending */
    size_t n;
};

/* Get the terms of a set of documents, each with its number of documents in
 * the set.  Terms outside of [first, last) and the term of the set may be
 * missing. */
int partners_of_docs(struct partners *p, const struct cooc *db,
                     const struct doc_set *docs, uint32_t first,
                     uint32_t last, struct cooc_err *err);
/* Get the terms of the documents of x; x itself may be among them. */
int partners_of_term(struct partners *p, const struct cooc *db, uint32_t x,
                     struct cooc_err *err);

#endif
