/* doc_set.h - the documents that hold several terms, all of them or any. */
#ifndef COOC_DOC_SET_H
#define COOC_DOC_SET_H

#include "query/db.h"

/* A posting list of the store, or a list of our own. */
struct doc_set {
    uint32_t term; /* the documents are those of this term; or COOC_NO_TERM */
    const uint32_t *docs;
    uint64_t n;
};

/* Memory for lists that are not in the store; the last result is in one. */
struct doc_space {
    uint32_t *list[2];
    size_t cap[2];
};

/* COOC_EINVAL without a term.  space may be NULL for a single term. */
int doc_set_find(struct doc_set *s, const struct cooc *db,
                 const uint32_t *terms, size_t n_terms, enum cooc_match match,
                 struct doc_space *space, struct cooc_err *err);

#endif
