/* ranking.c - what `top` and `pairs` share: a choice of pairs, made ready. */
#include "query/ranking.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/sized.h"

#define LIMIT_DEFAULT 20

uint32_t ranking_below(const struct ranking *r, uint64_t df)
{
    uint32_t low = 0, n = r->n;

    while (low < n) {
        uint32_t mid = low + (n - low) / 2;

        if (ranking_df(r, mid) < df)
            n = mid;
        else
            low = mid + 1;
    }
    return low;
}

void ranking_limit(struct ranking *r, uint64_t min_df, uint64_t max_df)
{
    uint32_t last = ranking_below(r, min_df);
    uint32_t first = max_df < UINT64_MAX ? ranking_below(r, max_df + 1) : 0;

    r->first = first > r->first ? first : r->first;
    r->last = last < r->last ? last : r->last;
}

static int exclude(struct ranking *r, struct rank_space *space,
                   struct cooc_err *err)
{
    const struct cooc_rank_options *c = &r->options;
    size_t words = (size_t)r->n / 64 + 1;
    int rc;

    if (!c->n_exclude)
        return 0;
    rc = array_grow(&space->excluded, &space->excluded_cap, words,
                    sizeof *space->excluded, err);
    if (rc < 0)
        return rc;
    r->excluded = space->excluded;
    memset(r->excluded, 0, words * sizeof *r->excluded);
    for (size_t i = 0; i < c->n_exclude; i++) {
        uint32_t t = c->exclude[i];

        if (t >= r->n)
            return err_option(err, COOC_EINVAL, "exclude",
                              "term id %u is out of range (the store has %u "
                              "terms)", t, r->n);
        r->excluded[t >> 6] |= (uint64_t)1 << (t & 63);
    }
    return 0;
}

/* < 0: a is the better one.  Equal scores are told apart by ids, the more
 * frequent terms first, so that the answer is the same whatever order the hits
 * came in. */
static int compare(const void *x, const void *y)
{
    const struct cooc_hit *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->pair.x != b->pair.x)
        return a->pair.x < b->pair.x ? -1 : 1;
    return (a->pair.y > b->pair.y) - (a->pair.y < b->pair.y);
}

int ranking_init(struct ranking *r, struct cooc *db,
                 const struct cooc_rank_options *options,
                 struct rank_space *space, struct cooc_err *err)
{
    struct cooc_rank_options *c = &r->options;
    uint32_t n = db->store.docs.n_terms;
    int rc;

    *r = (struct ranking){ .documents = db->store.docs.n_docs, .n = n,
                           .last = n, .least = -INFINITY,
                           .top = { .size = sizeof(struct cooc_hit),
                                    .compare = compare,
                                    .items = space->hits,
                                    .cap = space->hits_cap } };
    rc = sized_read(c, sizeof *c, options, "rank options", err);
    c->limit = c->limit == COOC_ALL ? 0 : c->limit ? c->limit : LIMIT_DEFAULT;
    r->top.limit = c->limit;
    if (rc == 0)
        rc = scorer_init(&r->scorer, db, &c->scoring, err);
    if (rc == 0)
        rc = db_offsets(db, &r->off, err);
    if (rc < 0)
        return rc;
    if (c->has_min_score)
        r->least = r->scorer.m->about.lower ? -c->min_score : c->min_score;
    ranking_limit(r, c->min_df, c->max_df ? c->max_df : UINT64_MAX);
    return exclude(r, space, err);
}

int ranking_finish(struct ranking *r, int rc, struct rank_space *space,
                   const struct cooc_hit **hits, size_t *n)
{
    struct cooc_hit *found = r->top.items;

    for (size_t i = 0; rc == 0 && i < r->top.n && r->scorer.m->about.lower;
         i++)
        found[i].score = -found[i].score;
    space->hits = found;
    space->hits_cap = r->top.cap;
    *hits = rc < 0 ? NULL : found;
    *n = rc < 0 ? 0 : r->top.n;
    return rc;
}
