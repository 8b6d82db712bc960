/* formulas.h - the measures, each a formula of the 2x2 table of a pair.
 *
 *              y     not y
 *     x        a     b         fx = a + b
 *     not x    c     d         fy = a + c     N = a + b + c + d
 *
 * E = fx fy / N is the expected value of a if x and y are independent.
 */
#ifndef COOC_FORMULAS_H
#define COOC_FORMULAS_H

#include "cooc.h"

struct cells {
    double a, b, c, d, n, fx, fy, e;
    double shift; /* subtracted from pmi and ppmi */
};

/* How a score changes as fx or fy grows while a and the other one are fixed: it
 * never rises, or it falls until independence (a = E) and rises after that. */
enum shape { SHAPE_FALLS, SHAPE_VALLEY };

struct measure {
    struct cooc_measure about;
    double (*of)(const struct cells *t);
    /* For a slow formula: an upper bound that is fast to compute; or NULL. */
    double (*at_most)(const struct cells *t);
    enum shape shape;
    bool peak_elsewhere; /* for a given fy <= fx, the maximum score may be at
                          * another table than a = fx = fy */
    bool rare_peaks;     /* for a given fx, a table with fy <= fx may score less
                          * at a = fy than a table with a smaller fy */
    bool context;        /* --shift and --smoothing apply */
    const char *no_weight; /* why it cannot be the weight of a context, where
                            * 0 means that a pair never occurs together; NULL:
                            * it can */
};

extern const struct measure measures[];
extern const unsigned n_measures;

/* The measure with the name of m, which may be a copy; the count if m is NULL.
 * Returns NULL if there is no measure of that name. */
const struct measure *measure_named(const struct cooc_measure *m);

/* log10 of p in Fisher's exact test: the probability of a or more marked items
 * if fx are drawn from n items, fy of which are marked. */
double fisher_log10(double a, double fx, double fy, double n);

/* The quantile x of the beta(p, q) distribution: P(X < x) = chance. */
double beta_quantile(double chance, double p, double q);

#endif
