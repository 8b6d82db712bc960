/* top.c - the strongest partners of one or more terms. */
#include "base/err.h"
#include "query/cutoff.h"
#include "query/scratch.h"

static bool is_among(const uint32_t *terms, size_t n, uint32_t t)
{
    for (size_t i = 0; i < n; i++)
        if (terms[i] == t)
            return true;
    return false;
}

/* The last scores of pairs with small counts.  Most partners are rare, and rare
 * ones with the same df have adjacent ids. */
struct recent {
    uint64_t df, known; /* one bit per count: its score is known */
    double score[64];
};

static double score(const struct scorer *s, struct recent *r,
                    const struct cooc_pair *p)
{
    if (p->count >= 64)
        return scorer_strength(s, p);
    if (p->fy != r->df)
        r->known = 0;
    r->df = p->fy;
    if (!(r->known >> p->count & 1))
        r->score[p->count] = scorer_strength(s, p);
    r->known |= (uint64_t)1 << p->count;
    return r->score[p->count];
}

/* Rank the terms of the documents, except the query terms. */
static int rank(struct ranking *r, const struct doc_set *docs,
                const uint32_t *terms, size_t n_terms,
                const struct partners *found, struct cooc_err *err)
{
    struct cooc_hit hit = { .pair = { .x = docs->term, .fx = docs->n,
                                      .total = r->documents } };
    struct recent recent = { 0 };
    uint32_t low = r->last, high = r->first;
    int rc;

    if (found->n) {
        low = found->entries[0].term;
        high = found->entries[found->n - 1].term + 1;
    }
    rc = ranking_need(r, low > r->first ? low : r->first,
                      high < r->last ? high : r->last, err);
    for (size_t i = 0; i < found->n && rc == 0; i++) {
        const struct entry *e = &found->entries[i];

        if (e->count < r->options.min_count || !ranking_wants(r, e->term) ||
            is_among(terms, n_terms, e->term))
            continue;
        hit.pair.y = e->term;
        hit.pair.count = e->count;
        hit.pair.fy = ranking_df(r, e->term);
        hit.score = score(&r->scorer, &recent, &hit.pair);
        if (!(hit.score < r->least))
            rc = top_k_add(&r->top, &hit, err);
    }
    return rc;
}

/* Set the limits of df that depend on the documents.  A count is at most the df
 * of either term, so min_count is also a lower limit of df. */
static int limit_df(struct ranking *r, uint64_t fx, struct cooc_err *err)
{
    const struct cooc_rank_options *c = &r->options;
    int rc = ranking_limit(r, c->min_count, UINT64_MAX, err);

    return rc < 0 ? rc : ranking_limit(r, c->commoner ? fx + 1 : 0,
                                       c->rarer ? fx - 1 : UINT64_MAX, err);
}

/* Rank the partners in the row of a term, if it is cheaper to read that than
 * the documents.  Then there is less left to rank: only ids from *first on, and
 * among them no partner that is too rare to be as strong as the weakest hit. */
static int rank_row(struct ranking *r, const struct cooc *db,
                    const struct doc_set *docs, struct partners *p,
                    uint32_t *first, struct cooc_err *err)
{
    const struct cooc_hit *weakest;
    double least = r->least;
    uint32_t end = r->last;
    int rc = partners_in_row(p, db, docs, r->first, r->last,
                             r->options.limit != 0, first, err);

    if (rc < 0 || *first <= docs->term) /* no row: nothing is ranked yet */
        return rc;
    rc = rank(r, docs, &docs->term, 1, p, err);
    top_k_trim(&r->top);
    weakest = top_k_last(&r->top);
    if (weakest && weakest->score > least)
        least = weakest->score;
    if (rc == 0)
        rc = cutoff_rarer(r, docs->n, *first, least, &end, err);
    r->last = end;
    return rc;
}

int cooc_top_into(struct cooc_scratch *s, struct cooc *db,
                  const uint32_t *terms, size_t n_terms,
                  enum cooc_match match,
                  const struct cooc_rank_options *options,
                  const struct cooc_hit **hits, size_t *n,
                  struct cooc_err *err)
{
    struct doc_set docs;
    struct ranking r;
    uint32_t first = 0;
    int rc = ranking_init(&r, db, options, &s->rank, err);

    if (rc == 0 && r.options.rarer && r.options.commoner)
        rc = err_option(err, COOC_EINVAL, "rarer",
                        "rarer and commoner cannot be combined");
    if (rc == 0 && (r.options.like1 || r.options.like2))
        rc = err_option(err, COOC_EINVAL,
                        r.options.like1 ? "like1" : "like2",
                        "classes of terms apply to queries for pairs, not to "
                        "the partners of a term");
    if (rc == 0)
        rc = doc_set_find(&docs, db, terms, n_terms, match, &s->docs, err);
    if (rc == 0)
        rc = limit_df(&r, docs.n, err);
    if (rc == 0)
        rc = scratch_ready(s, db, err);
    if (rc == 0)
        rc = rank_row(&r, db, &docs, &s->partners, &first, err);
    if (rc == 0)
        rc = partners_in_docs(&s->partners, db, &docs, first, r.last, err);
    if (rc == 0)
        rc = rank(&r, &docs, terms, n_terms, &s->partners, err);
    if (rc == 0)
        top_k_sort(&r.top);
    return ranking_finish(&r, rc, &s->rank, hits, n);
}

int cooc_top(struct cooc *db, const uint32_t *terms, size_t n_terms,
             enum cooc_match match, const struct cooc_rank_options *options,
             struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    const struct cooc_hit *found;
    struct cooc_scratch *s;
    int rc = scratch_get(&s, db, err);

    *hits = NULL;
    *n = 0;
    if (rc == 0)
        rc = cooc_top_into(s, db, terms, n_terms, match, options, &found, n,
                           err);
    if (rc == 0)
        rc = scratch_copy(hits, found, *n, sizeof *found, err);
    if (rc < 0)
        *n = 0;
    scratch_put(s, db);
    return rc;
}
