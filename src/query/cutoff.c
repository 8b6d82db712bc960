/* cutoff.c - skip pairs that are too weak, without computing their scores. */
#include "query/cutoff.h"

#include <math.h>

/* Scores that are mathematically equal may differ by rounding. */
#define SLACK 1e-9

/* Forget all ranges; only counts below min_count are known to be unwanted. */
static void forget(struct cutoff *c)
{
    c->known = 0;
    for (uint32_t i = 0; i < CUTOFF_COUNTS; i++) {
        c->weak[i].first = 0;
        c->weak[i].n = i < c->r->options.min_count ? UINT32_MAX : 0;
    }
}

static double threshold(double least)
{
    return isinf(least) ? least : least - SLACK * (fabs(least) + 1e-3);
}

bool cutoff_row(struct cutoff *c, uint32_t y, double least, double *highest)
{
    uint64_t df = ranking_df(c->r, y);
    struct cooc_pair best = { .fy = df, .fx = df, .count = df,
                              .total = c->r->documents };

    if (df != c->row.fy || threshold(least) != c->least)
        forget(c);
    if (df != c->row.fy)
        c->columns = ranking_below(c->r, df);
    c->row = best;
    c->least = threshold(least);
    *highest = c->r->scorer.m->peak_elsewhere
                   ? INFINITY : scorer_strength(&c->r->scorer, &best);
    return df >= c->r->options.min_count && *highest >= c->least;
}

struct rarer {
    uint64_t fx;
    double least;
};

/* Whether a partner is too weak even if it occurs only together with x. */
static bool always_weak(const struct ranking *r, uint32_t y, const void *self)
{
    const struct rarer *limit = self;
    uint64_t fy = ranking_df(r, y);
    struct cooc_pair best = { .fx = limit->fx, .fy = fy, .count = fy,
                              .total = r->documents };

    return pair_possible(&best) &&
           scorer_strength(&r->scorer, &best) < limit->least;
}

int cutoff_rarer(const struct ranking *r, uint64_t fx, uint32_t first,
                 double least, uint32_t *end, struct cooc_err *err)
{
    const struct rarer limit = { fx, threshold(least) };

    *end = r->last;
    if (r->scorer.m->rare_peaks || r->scorer.smoothing != 0 || isinf(least))
        return 0;
    return ranking_search(r, first, r->last, always_weak, &limit, end, err);
}

static bool too_weak(const struct cutoff *c, uint32_t x, uint32_t count,
                     bool impossible)
{
    struct cooc_pair p = c->row;

    p.fx = ranking_df(c->r, x);
    p.count = count;
    if (!pair_possible(&p))
        return impossible; /* no store has such a pair */
    return scorer_strength(&c->r->scorer, &p) < c->least;
}

/* Whether the terms share fewer documents than expected. */
static bool apart(const struct cutoff *c, uint32_t x, uint32_t count)
{
    return (double)ranking_df(c->r, x) * (double)c->row.fy >
           (double)count * (double)c->r->documents;
}

/* Whether column x precedes the strong pairs: it is too weak, or, for a
 * SHAPE_VALLEY measure, on the far side of independence.  If true for x, it is
 * true for all columns before x. */
static bool before_strong(const struct cutoff *c, uint32_t x, uint32_t count)
{
    return (c->r->scorer.m->shape == SHAPE_VALLEY && apart(c, x, count)) ||
           too_weak(c, x, count, true);
}

/* Whether the pair is strong because its terms avoid each other, as the first
 * columns of a row may be for a SHAPE_VALLEY measure. */
static bool strong_apart(const struct cutoff *c, uint32_t x, uint32_t count)
{
    return apart(c, x, count) && !too_weak(c, x, count, false);
}

/* The number of columns at the beginning of the row that pass the test, by
 * binary search. */
static uint32_t count_passing(const struct cutoff *c, uint32_t count,
                              bool (*test)(const struct cutoff *c, uint32_t x,
                                           uint32_t count))
{
    uint32_t low = 0, high = c->columns;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (test(c, mid, count))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool cutoff_find(struct cutoff *c, struct entry e)
{
    uint32_t first = 0, end;

    if (e.count >= CUTOFF_COUNTS)
        return e.count < c->r->options.min_count;
    if (c->known >> e.count & 1)
        return false;
    end = count_passing(c, e.count, before_strong);
    if (c->r->scorer.m->shape == SHAPE_VALLEY)
        first = count_passing(c, e.count, strong_apart);
    c->weak[e.count].first = first;
    c->weak[e.count].n = end > first ? end - first : 0;
    c->known |= (uint64_t)1 << e.count;
    return cutoff_weak(c, e);
}
