/* ranking.c - the filters and the ranking that `top` and `pairs` share. */
#include "query/ranking.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/sized.h"

#define LIMIT_DEFAULT 20

int ranking_need(const struct ranking *r, uint32_t first, uint32_t last,
                 struct cooc_err *err)
{
    const void *p;

    if (first >= last)
        return 0;
    return checked_file_get(r->offsets, (uint64_t)first * sizeof *r->off,
                            ((uint64_t)last - first + 1) * sizeof *r->off, &p,
                            err);
}

int ranking_search(const struct ranking *r, uint32_t first, uint32_t last,
                   ranking_test test, const void *self, uint32_t *id,
                   struct cooc_err *err)
{
    while (first < last) {
        uint32_t mid = first + (last - first) / 2;
        int rc = ranking_need(r, mid, mid + 1, err);

        if (rc < 0)
            return rc;
        if (test(r, mid, self))
            last = mid;
        else
            first = mid + 1;
    }
    *id = first;
    return 0;
}

static bool is_rarer(const struct ranking *r, uint32_t id, const void *df)
{
    return ranking_df(r, id) < *(const uint64_t *)df;
}

uint32_t ranking_below(const struct ranking *r, uint64_t df)
{
    uint32_t id = 0;

    ranking_search(r, 0, r->n, is_rarer, &df, &id, NULL); /* cannot fail */
    return id;
}

int ranking_limit(struct ranking *r, uint64_t min_df, uint64_t max_df,
                  struct cooc_err *err)
{
    uint64_t above = max_df < UINT64_MAX ? max_df + 1 : UINT64_MAX;
    uint32_t first = 0, last = r->n;
    int rc = 0;

    if (min_df > 1) /* a term in no document has no partners anyway */
        rc = ranking_search(r, 0, r->n, is_rarer, &min_df, &last, err);
    if (rc == 0 && max_df < UINT64_MAX)
        rc = ranking_search(r, 0, r->n, is_rarer, &above, &first, err);
    r->first = first > r->first ? first : r->first;
    r->last = last < r->last ? last : r->last;
    return rc;
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

/* Compare two hits; the better one comes first.  Ties are broken by id, more
 * frequent terms first, so the result does not depend on the order in which the
 * hits were added. */
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
    const void *p = NULL;
    int rc;

    *r = (struct ranking){ .documents = db->store.docs.n_docs, .n = n,
                           .last = n, .least = -INFINITY,
                           .offsets = db->store.docs.files[FILE_INVERTED_OFF],
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
        rc = checked_file_get(r->offsets, 0, 0, &p, err);
    r->off = p;
    if (rc == 0)
        rc = ranking_limit(r, c->min_df, c->max_df ? c->max_df : UINT64_MAX,
                           err);
    if (rc < 0)
        return rc;
    if (c->has_min_score)
        r->least = r->scorer.m->about.lower ? -c->min_score : c->min_score;
    return exclude(r, space, err);
}

int ranking_classes(struct ranking *r, struct cooc *db, struct cooc_err *err)
{
    return pair_classes_init(&r->classes, db, r->options.like1,
                             r->options.like2, err);
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
