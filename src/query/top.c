/* top.c - the strongest partners of one or more terms. */
#include "base/err.h"
#include "query/scratch.h"

static bool is_among(const uint32_t *terms, size_t n, uint32_t t)
{
    for (size_t i = 0; i < n; i++)
        if (terms[i] == t)
            return true;
    return false;
}

/* Rank the terms of the documents, except the query terms. */
static int rank(struct ranking *r, const struct doc_set *docs,
                const uint32_t *terms, size_t n_terms,
                const struct partners *found, struct cooc_err *err)
{
    struct cooc_hit hit = { .pair = { .x = docs->term, .fx = docs->n,
                                      .total = r->documents } };
    int rc = 0;

    for (size_t i = 0; i < found->n && rc == 0; i++) {
        const struct entry *e = &found->entries[i];

        if (e->count < r->options.min_count || !ranking_wants(r, e->term) ||
            is_among(terms, n_terms, e->term))
            continue;
        hit.pair.y = e->term;
        hit.pair.count = e->count;
        hit.pair.fy = ranking_df(r, e->term);
        hit.score = scorer_strength(&r->scorer, &hit.pair);
        if (!(hit.score < r->least))
            rc = top_k_add(&r->top, &hit, err);
    }
    return rc;
}

/* Set the limits of df that depend on the documents.  A count is at most the df
 * of either term, so min_count is also a lower limit of df. */
static void limit_df(struct ranking *r, uint64_t fx)
{
    const struct cooc_rank_options *c = &r->options;

    ranking_limit(r, c->min_count, UINT64_MAX);
    ranking_limit(r, c->commoner ? fx + 1 : 0,
                  c->rarer ? fx - 1 : UINT64_MAX);
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
    int rc = ranking_init(&r, db, options, &s->rank, err);

    if (rc == 0 && r.options.rarer && r.options.commoner)
        rc = err_option(err, COOC_EINVAL, "rarer",
                        "rarer and commoner cannot be combined");
    if (rc == 0)
        rc = doc_set_find(&docs, db, terms, n_terms, match, &s->docs, err);
    if (rc == 0) {
        limit_df(&r, docs.n);
        rc = scratch_ready(s, db, err);
    }
    if (rc == 0)
        rc = partners_of_docs(&s->partners, db, &docs, r.first, r.last, err);
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
