/* term_filter.h - which terms a choice is about.
 *
 * The df never rises with the id, so limits of df are a range of ids.
 */
#ifndef COOC_TERM_FILTER_H
#define COOC_TERM_FILTER_H

#include "query/db.h"

struct term_filter {
    uint32_t n;              /* of all terms */
    uint32_t first, last;    /* ids from, and below */
    const uint64_t *off;     /* of the inverted lists */
    uint64_t *excluded;      /* a bit a term; NULL: none */
};

int term_filter_init(struct term_filter *f, const struct cooc *db,
                     const struct cooc_choice *c, struct cooc_err *err);
void term_filter_release(struct term_filter *f);

static inline uint64_t term_filter_df(const struct term_filter *f, uint32_t t)
{
    return f->off[t + 1] - f->off[t];
}

/* The first id whose df is below the given one. */
uint32_t term_filter_below(const struct term_filter *f, uint64_t df);

static inline bool term_filter_keeps(const struct term_filter *f, uint32_t t)
{
    return t >= f->first && t < f->last &&
           !(f->excluded && f->excluded[t >> 6] >> (t & 63) & 1);
}

#endif
