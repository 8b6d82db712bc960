/* scratch.h - the memory that the queries of one thread reuse.
 *
 * Callers of the _into functions pass their own scratch memory.  The other
 * queries borrow the one that the open store keeps, or create one, and copy
 * their results.
 */
#ifndef COOC_SCRATCH_H
#define COOC_SCRATCH_H

#include "query/partners.h"
#include "query/ranking.h"

struct cooc_scratch {
    struct partners partners;
    uint32_t n_terms, n_docs; /* sizes that partners is prepared for */
    struct rank_space rank;
    struct doc_space docs;
    struct cooc_entry *entries;
    size_t entries_cap;
};

/* Borrow scratch memory for db.  Return it with scratch_put(), even after a
 * failure. */
int scratch_get(struct cooc_scratch **out, struct cooc *db,
                struct cooc_err *err);
void scratch_put(struct cooc_scratch *s, struct cooc *db);

/* Prepare scratch memory for queries on db. */
int scratch_ready(struct cooc_scratch *s, const struct cooc *db,
                  struct cooc_err *err);

/* Set *out to a copy of n items of the given size; the caller owns it. */
int scratch_copy(void *out, const void *items, size_t n, size_t size,
                 struct cooc_err *err);

#endif
