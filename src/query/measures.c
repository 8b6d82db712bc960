/* measures.c - how strong a pair is, from its 2x2 table.
 *
 *              y         not y
 *     x        a         b = df_x - a
 *     not x    c         d = N - df_x - df_y + a       E = df_x df_y / N
 *
 * Cells of zero never give NaN: 0 log 0 is 0; a pair that never meets has
 * PMI -infinity and NPMI -1; a pair that is in every document tells nothing,
 * its PMI and NPMI are 0.  A table with a cell below zero has no strength
 * but its count: 0.
 */
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "cooc.h"
#include "query/db.h"

static double expected(const struct cooc_pair *p)
{
    return p->documents ? (double)p->df_x * (double)p->df_y /
                              (double)p->documents
                        : 0;
}

static double pmi(const struct cooc_pair *p)
{
    return p->count ? log2((double)p->count / expected(p)) : -INFINITY;
}

static double npmi(const struct cooc_pair *p)
{
    if (!p->count)
        return -1;
    if (p->count == p->documents)
        return 0;
    if (p->count == p->df_x && p->count == p->df_y)
        return 1; /* exactly, so that such pairs tie */
    return pmi(p) / -log2((double)p->count / (double)p->documents);
}

/* observed * ln(observed / expected) */
static double part(double o, double row, double column, double all)
{
    return o > 0 ? o * log(o * all / (row * column)) : 0;
}

static double llr(const struct cooc_pair *p)
{
    double n = (double)p->documents, fx = (double)p->df_x;
    double fy = (double)p->df_y, a = (double)p->count;
    double g2 = 2 * (part(a, fx, fy, n) + part(fx - a, fx, n - fy, n) +
                     part(fy - a, n - fx, fy, n) +
                     part(n - fx - fy + a, n - fx, n - fy, n));

    g2 = g2 > 0 ? g2 : 0; /* rounding may leave -1e-12 */
    return a < expected(p) ? -g2 : g2;
}

/* All four cells of the table are there. */
static bool possible(const struct cooc_pair *p)
{
    return p->count <= p->df_x && p->count <= p->df_y &&
           p->df_x <= p->documents && p->df_y <= p->documents &&
           p->df_x - p->count <= p->documents - p->df_y;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

double cooc_score(const struct cooc_pair *p, enum cooc_measure m)
{
    double a = (double)p->count, both = (double)p->df_x + (double)p->df_y;

    if (!possible(p) && m != COOC_BY_COUNT)
        return 0;
    switch (m) {
    case COOC_BY_COUNT:
        return a;
    case COOC_BY_PMI:
        return pmi(p);
    case COOC_BY_NPMI:
        return npmi(p);
    case COOC_BY_LLR:
        return llr(p);
    case COOC_BY_DICE:
        return ratio(2 * a, both);
    case COOC_BY_JACCARD:
        return ratio(a, both - a);
    case COOC_MEASURES:
        break;
    }
    return 0;
}

static const char *const names[COOC_MEASURES] = {
    [COOC_BY_COUNT] = "count", [COOC_BY_PMI] = "pmi",
    [COOC_BY_NPMI] = "npmi",   [COOC_BY_LLR] = "llr",
    [COOC_BY_DICE] = "dice",   [COOC_BY_JACCARD] = "jaccard",
};

const char *cooc_measure_name(enum cooc_measure m)
{
    return (unsigned)m < COOC_MEASURES ? names[m] : NULL;
}

int db_check_measure(enum cooc_measure m, struct cooc_err *err)
{
    return cooc_measure_name(m)
               ? 0
               : err_set(err, COOC_EINVAL, "there is no measure %d", (int)m);
}

int cooc_measure_find(const char *name, enum cooc_measure *m,
                      struct cooc_err *err)
{
    for (unsigned i = 0; i < COOC_MEASURES; i++)
        if (!strcmp(names[i], name)) {
            *m = (enum cooc_measure)i;
            return 0;
        }
    return err_set(err, COOC_EINVAL,
                   "there is no measure '%s'; the measures are count, pmi, "
                   "npmi, llr, dice and jaccard", name);
}
