/* score.h - a measure, prepared for scoring many pairs of a store.
 *
 * Smoothing.  PMI with context smoothing usually defines the share of y among
 * all contexts as fy^s / S, where S is the sum of all fy^s.  Here the unit is a
 * document, so the share is scaled: with P postings in total, fy becomes
 * fy^s P / S.  The sum of these values is P again, and s = 1 is plain PMI.
 * With s <= SMOOTHING_MAX and df < 2^32, S is below 2^352, so no power or sum
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
    double shift;            /* log2 of the shift */
    double smoothing, scale; /* 0: none */
};

/* Prepare a measure.  Returns COOC_EINVAL if the parameters cannot be
 * combined. */
int scorer_init(struct scorer *s, struct cooc *db,
                const struct cooc_scoring *by, struct cooc_err *err);

/* Whether the score changes if x and y are swapped. */
static inline bool scorer_directed(const struct scorer *s)
{
    return s->m->about.directed || s->smoothing != 0;
}

/* The score of a pair, or 0 if its table is impossible. */
double scorer_score(const struct scorer *s, const struct cooc_pair *p);

/* The strength of a pair: its score, negated if low scores are strong. */
static inline double scorer_strength(const struct scorer *s,
                                     const struct cooc_pair *p)
{
    double score = scorer_score(s, p);

    return s->m->about.lower ? -score : score;
}

/* An upper bound of the strength that is fast to compute. */
double scorer_at_most(const struct scorer *s, const struct cooc_pair *p);

/* Whether no cell of the table is negative. */
bool pair_possible(const struct cooc_pair *p);

#endif
