/* doc_set.h - the documents that hold several terms, all of them or any. */
#ifndef COOC_DOC_SET_H
#define COOC_DOC_SET_H

#include "query/db.h"

/* A posting list of the store, or a list of our own. */
struct doc_set {
    uint32_t term; /* the documents are those of this term; or COOC_NO_TERM */
    const uint32_t *docs;
    uint64_t n;
    uint32_t *own;
};

/* All zero is empty.  COOC_EINVAL without a term. */
int doc_set_find(struct doc_set *s, const struct cooc *db,
                 const uint32_t *terms, size_t n_terms, enum cooc_match join,
                 struct cooc_err *err);
void doc_set_release(struct doc_set *s);

#endif
