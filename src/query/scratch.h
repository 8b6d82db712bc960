/* scratch.h - the memory that queries of one thread use again and again.
 *
 * A program gives its own to the _into functions.  The other queries borrow
 * the one that the open store keeps, or make one, and copy their results.
 */
#ifndef COOC_SCRATCH_H
#define COOC_SCRATCH_H

#include "query/partners.h"
#include "query/ranking.h"

struct cooc_scratch {
    struct partners partners;
    uint32_t n_terms, n_docs; /* of the store that partners is ready for */
    struct rank_space rank;
    struct doc_space docs;
    struct cooc_entry *entries;
    size_t entries_cap;
};

/* Borrow scratch memory for db; scratch_put() gives it back, also after a
 * failure. */
int scratch_get(struct cooc_scratch **out, struct cooc *db,
                struct cooc_err *err);
void scratch_put(struct cooc_scratch *s, struct cooc *db);

/* Make it ready for queries on db. */
int scratch_ready(struct cooc_scratch *s, const struct cooc *db,
                  struct cooc_err *err);

/* A copy of n items of the given size for the caller, in *out. */
int scratch_copy(void *out, const void *items, size_t n, size_t size,
                 struct cooc_err *err);

#endif
