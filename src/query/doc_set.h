/* doc_set.h - the documents that contain all, or any, of several terms. */
#ifndef COOC_DOC_SET_H
#define COOC_DOC_SET_H

#include "query/db.h"

/* A posting list of the store, or a list in a struct doc_space. */
struct doc_set {
    uint32_t term; /* the term of the posting list, or COOC_NO_TERM */
    const uint32_t *docs;
    uint64_t n;
};

/* Memory for intermediate lists and for the result. */
struct doc_space {
    uint32_t *list[2];
    size_t cap[2];
};

/* Find the documents.  Returns COOC_EINVAL if there is no term.  space may be
 * NULL for a single term. */
int doc_set_find(struct doc_set *s, const struct cooc *db,
                 const uint32_t *terms, size_t n_terms, enum cooc_match match,
                 struct doc_space *space, struct cooc_err *err);

#endif
