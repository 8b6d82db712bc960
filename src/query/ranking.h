/* ranking.h - the filters and the ranking that `top` and `pairs` share.
 *
 * The df never rises with the id, so limits of df become a range of ids.
 */
#ifndef COOC_RANKING_H
#define COOC_RANKING_H

#include "base/top_k.h"
#include "query/pair_classes.h"
#include "query/score.h"

struct ranking {
    struct cooc_rank_options options;
    struct scorer scorer;
    double least;         /* minimum strength */
    uint64_t documents;
    uint32_t n;           /* number of terms */
    uint32_t first, last; /* ids [first, last) pass the limits of df */
    struct checked_file *offsets; /* of the posting lists */
    const uint64_t *off;  /* the same as an array; see ranking_need() */
    uint64_t *excluded;   /* one bit per term; NULL: none */
    struct top_k top;     /* of struct cooc_hit, with strengths as scores */
    struct pair_classes classes; /* of the pairs that are wanted; see
                                  * ranking_classes() */
};

/* Memory that rankings use and return for the next one. */
struct rank_space {
    void *hits;
    size_t hits_cap;
    uint64_t *excluded;
    size_t excluded_cap;
};

/* Prepare a ranking; options may be NULL for the defaults.  Takes the memory of
 * *space, which may be all zeros.  Call ranking_need() before the first use of
 * a df. */
int ranking_init(struct ranking *r, struct cooc *db,
                 const struct cooc_rank_options *options,
                 struct rank_space *space, struct cooc_err *err);

/* Verify the df of terms [first, last).  A query about one term needs few of
 * them, and verifying all would take longer than the query. */
int ranking_need(const struct ranking *r, uint32_t first, uint32_t last,
                 struct cooc_err *err);

/* The df of t, which must have been verified. */
static inline uint64_t ranking_df(const struct ranking *r, uint32_t t)
{
    return r->off[t + 1] - r->off[t];
}

static inline bool ranking_wants(const struct ranking *r, uint32_t t)
{
    return t >= r->first && t < r->last &&
           !(r->excluded && r->excluded[t >> 6] >> (t & 63) & 1);
}

/* For queries for pairs: find the classes of terms that the options name.  The
 * caller releases r->classes. */
int ranking_classes(struct ranking *r, struct cooc *db, struct cooc_err *err);

/* Find the first id in [first, last) that passes the test, or last; all ids
 * after it pass as well.  The df of an id is verified before it is tested. */
typedef bool (*ranking_test)(const struct ranking *r, uint32_t id,
                             const void *self);
int ranking_search(const struct ranking *r, uint32_t first, uint32_t last,
                   ranking_test test, const void *self, uint32_t *id,
                   struct cooc_err *err);

/* The first id with a df below the given df, if every df is verified. */
uint32_t ranking_below(const struct ranking *r, uint64_t df);

/* Narrow the range of ids to terms with a df from min_df to max_df. */
int ranking_limit(struct ranking *r, uint64_t min_df, uint64_t max_df,
                  struct cooc_err *err);

/* Turn the strengths of the sorted hits into scores, and return the memory to
 * *space, which then owns the hits.  If rc < 0, there are no hits.  Returns
 * rc. */
int ranking_finish(struct ranking *r, int rc, struct rank_space *space,
                   const struct cooc_hit **hits, size_t *n);

#endif
