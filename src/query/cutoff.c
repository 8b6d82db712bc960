/* cutoff.c - which pairs need not be scored. */
#include "query/cutoff.h"

#include <math.h>

/* Scores that are equal on paper may differ by rounding. */
#define SLACK 1e-9

void cutoff_init(struct cutoff *c, const struct scorer *scorer,
                 const struct wanted_terms *terms, uint64_t documents,
                 uint64_t min_count)
{
    *c = (struct cutoff){ .scorer = scorer, .terms = terms,
                          .documents = documents, .min_count = min_count,
                          .least = -INFINITY };
}

/* Nothing is known but that small counts are not wanted. */
static void forget(struct cutoff *c)
{
    c->known = 0;
    for (uint32_t i = 0; i < CUTOFF_COUNTS; i++) {
        c->weak[i].first = 0;
        c->weak[i].n = i < c->min_count ? UINT32_MAX : 0;
    }
}

static double threshold(double least)
{
    return isinf(least) ? least : least - SLACK * (fabs(least) + 1e-3);
}

bool cutoff_row(struct cutoff *c, uint32_t y, double least, double *highest)
{
    uint64_t df = wanted_df(c->terms, y);
    struct cooc_pair best = { .df_y = df, .df_x = df, .count = df,
                              .documents = c->documents };

    if (df != c->row.df_y || threshold(least) != c->least)
        forget(c);
    if (df != c->row.df_y)
        c->columns = wanted_below(c->terms, df);
    c->row = best;
    c->least = threshold(least);
    *highest = c->scorer->m->highest ? scorer_strength(c->scorer, &best)
                                     : INFINITY;
    return df >= c->min_count && *highest >= c->least;
}

static bool too_weak(struct cutoff *c, uint32_t x, uint32_t count,
                     bool impossible)
{
    struct cooc_pair p = c->row;

    p.df_x = wanted_df(c->terms, x);
    p.count = count;
    if (!pair_possible(&p))
        return impossible; /* it is in no store */
    return scorer_strength(c->scorer, &p) < c->least;
}

/* More expected than counted? */
static bool apart(const struct cutoff *c, uint32_t x, uint32_t count)
{
    return (double)wanted_df(c->terms, x) * (double)c->row.df_y >
           (double)count * (double)c->documents;
}

/* The first column from low on that is near enough and strong enough. */
static uint32_t strong_end(struct cutoff *c, uint32_t count)
{
    uint32_t low = 0, high = c->columns;
    bool valley = c->scorer->m->shape == SHAPE_VALLEY;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if ((valley && apart(c, mid, count)) ||
            too_weak(c, mid, count, true))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Of a valley: the first column that is not strong by being apart. */
static uint32_t strong_begin(struct cutoff *c, uint32_t count)
{
    uint32_t low = 0, high = c->columns;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (apart(c, mid, count) && !too_weak(c, mid, count, false))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool cutoff_look(struct cutoff *c, struct cooc_entry e)
{
    uint32_t first = 0, end;

    if (e.count >= CUTOFF_COUNTS)
        return e.count < c->min_count;
    if (c->known >> e.count & 1)
        return false;
    end = strong_end(c, e.count);
    if (c->scorer->m->shape == SHAPE_VALLEY)
        first = strong_begin(c, e.count);
    c->weak[e.count].first = first;
    c->weak[e.count].n = end > first ? end - first : 0;
    c->known |= (uint64_t)1 << e.count;
    return cutoff_weak(c, e);
}
