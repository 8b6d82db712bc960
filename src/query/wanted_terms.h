/* wanted_terms.h - which terms a choice is about.
 *
 * The df never rises with the id, so limits of df are a range of ids.
 */
#ifndef COOC_WANTED_TERMS_H
#define COOC_WANTED_TERMS_H

#include "query/db.h"

struct wanted_terms {
    uint32_t n;              /* of all terms */
    uint32_t first, last;    /* ids from, and below */
    const uint64_t *off;     /* of the inverted lists */
    uint64_t *excluded;      /* a bit a term; NULL: none */
};

int wanted_terms_init(struct wanted_terms *f, const struct cooc *db,
                      const struct cooc_choice *c, struct cooc_err *err);
void wanted_terms_release(struct wanted_terms *f);

static inline uint64_t wanted_df(const struct wanted_terms *f, uint32_t t)
{
    return f->off[t + 1] - f->off[t];
}

/* The first id with a df below the given one. */
uint32_t wanted_below(const struct wanted_terms *f, uint64_t df);

/* Narrow the range of ids to terms with a df from min_df to max_df. */
void wanted_limit(struct wanted_terms *f, uint64_t min_df, uint64_t max_df);

static inline bool is_wanted(const struct wanted_terms *f, uint32_t t)
{
    return t >= f->first && t < f->last &&
           !(f->excluded && f->excluded[t >> 6] >> (t & 63) & 1);
}

#endif
