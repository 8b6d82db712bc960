/* score.h - a measure, made ready to be taken of many pairs of a store.
 *
 * Smoothing.  The usual PMI with context smoothing takes the share of y
 * among all contexts as fy^s / S, where S is the sum of all fy^s.  Here the
 * unit is a document, so that this share is scaled: with P postings in all,
 * fy becomes fy^s P / S, whose sum is P again, and s = 1 is the plain PMI.
 * With s <= SMOOTHING_MAX and df < 2^32, S is below 2^352: no power or sum
 * overflows and no share becomes 0.
 */
#ifndef COOC_SCORE_H
#define COOC_SCORE_H

#include "query/db.h"
#include "query/formulas.h"

#define SMOOTHING_MAX 10

struct scorer {
    const struct measure *m;
    bool reverse;
    double shift;            /* log2 */
    double smoothing, scale; /* 0: none */
};

/* COOC_EINVAL for what does not go together. */
int scorer_init(struct scorer *s, struct cooc *db,
                const struct cooc_scoring *by, struct cooc_err *err);

/* Not the same in both directions? */
static inline bool scorer_directed(const struct scorer *s)
{
    return s->m->about.directed || s->smoothing != 0;
}

/* 0 for a table that cannot be. */
double scorer_score(const struct scorer *s, const struct cooc_pair *p);

/* The same, greater if stronger. */
static inline double scorer_strength(const struct scorer *s,
                                     const struct cooc_pair *p)
{
    double score = scorer_score(s, p);

    return s->m->about.lower ? -score : score;
}

/* The strength is not above this, which is quickly known. */
double scorer_at_most(const struct scorer *s, const struct cooc_pair *p);

/* No cell of the table is below zero. */
bool pair_possible(const struct cooc_pair *p);

#endif
