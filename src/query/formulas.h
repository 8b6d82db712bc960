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
 * never rises; or it falls to independence (a = E) and rises behind it. */
enum shape { SHAPE_FALLS, SHAPE_VALLEY };

struct measure {
    struct cooc_measure about;
    double (*of)(const struct cells *t);
    /* Of one that takes long: quickly, what its score does not exceed. */
    double (*at_most)(const struct cells *t);
    enum shape shape;
    bool highest;  /* no table with fx >= fy scores more than a = fx = fy */
    bool context;  /* takes a shift and smoothing */
};

extern const struct measure measures[];
extern const unsigned n_measures;

/* The measure of that name, which m may be a copy of; NULL is the count.  NULL
 * if there is none. */
const struct measure *measure_named(const struct cooc_measure *m);

#endif
