/* formulas.h - the measures, each a formula over a pair's 2x2 table.
 *
 *              y     not y
 *     x        a     b         fx = a + b
 *     not x    c     d         fy = a + c     N = a + b + c + d
 *
 * E = fx fy / N is what a would be if x and y were independent.
 */
#ifndef COOC_FORMULAS_H
#define COOC_FORMULAS_H

#include "cooc.h"

struct cells {
    double a, b, c, d, n, fx, fy, e;
    double shift; /* pmi, ppmi: subtracted */
};

/* How a score changes with one of fx and fy while a and the other stay: it
 * never rises; or it falls to independence (a = E) and rises after it. */
enum shape { SHAPE_FALLS, SHAPE_VALLEY };

struct measure {
    struct cooc_measure about;
    double (*of)(const struct cells *t);
    /* Of one that takes long: quickly, what its score does not exceed. */
    double (*at_most)(const struct cells *t);
    enum shape shape;
    bool peak_elsewhere; /* of tables with the same fy <= fx, another one than
                          * a = fx = fy may have the highest score */
    bool context;        /* takes a shift and smoothing */
};

extern const struct measure measures[];
extern const unsigned n_measures;

/* The measure that m is, or is a copy of; the count for NULL.  NULL if there is
 * none of its name. */
const struct measure *measure_named(const struct cooc_measure *m);

/* log10 of Fisher's exact test: the chance to draw a or more marked ones if
 * fx are drawn from n of which fy are marked. */
double fisher_log10(double a, double fx, double fy, double n);

/* The x below which a beta(p, q) variable lies with the given chance. */
double beta_quantile(double chance, double p, double q);

#endif
