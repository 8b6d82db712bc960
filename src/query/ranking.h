/* ranking.h - the filters and the ranking that `top` and `pairs` share.
 *
 * The df never rises with the id, so limits of df become a range of ids.
 */
#ifndef COOC_RANKING_H
#define COOC_RANKING_H

#include "base/top_k.h"
#include "query/score.h"

struct ranking {
    struct cooc_rank_options options;
    struct scorer scorer;
    double least;         /* minimum strength */
    uint64_t documents;
    uint32_t n;           /* number of terms */
    uint32_t first, last; /* ids [first, last) pass the limits of df */
    const uint64_t *off;  /* offsets of the posting lists */
    uint64_t *excluded;   /* one bit per term; NULL: none */
    struct top_k top;     /* of struct cooc_hit, with strengths as scores */
};

/* Memory that rankings use and return for the next one. */
struct rank_space {
    void *hits;
    size_t hits_cap;
    uint64_t *excluded;
    size_t excluded_cap;
};

/* Prepare a ranking; options may be NULL for the defaults.  Takes the memory of
 * *space, which may be all zeros. */
int ranking_init(struct ranking *r, struct cooc *db,
                 const struct cooc_rank_options *options,
                 struct rank_space *space, struct cooc_err *err);

static inline uint64_t ranking_df(const struct ranking *r, uint32_t t)
{
    return r->off[t + 1] - r->off[t];
}

static inline bool ranking_wants(const struct ranking *r, uint32_t t)
{
    return t >= r->first && t < r->last &&
           !(r->excluded && r->excluded[t >> 6] >> (t & 63) & 1);
}

/* The first id with a df below the given df. */
uint32_t ranking_below(const struct ranking *r, uint64_t df);

/* Narrow the range of ids to terms with a df from min_df to max_df. */
void ranking_limit(struct ranking *r, uint64_t min_df, uint64_t max_df);

/* Turn the strengths of the sorted hits into scores, and return the memory to
 * *space, which then owns the hits.  If rc < 0, there are no hits.  Returns
 * rc. */
int ranking_finish(struct ranking *r, int rc, struct rank_space *space,
                   const struct cooc_hit **hits, size_t *n);

#endif
