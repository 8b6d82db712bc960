/* top.c - the strongest partners of a term, or of several. */
#include "base/err.h"
#include "query/partners.h"
#include "query/ranking.h"

static bool is_among(const uint32_t *terms, size_t n, uint32_t t)
{
    for (size_t i = 0; i < n; i++)
        if (terms[i] == t)
            return true;
    return false;
}

/* Partners of the documents, but none of the terms asked for. */
static int rank(struct ranking *r, const struct doc_set *docs,
                const uint32_t *terms, size_t n_terms,
                const struct partners *found, struct cooc_err *err)
{
    struct cooc_hit hit = { .pair = { .x = docs->term, .fx = docs->n,
                                      .total = r->documents } };
    int rc = 0;

    for (size_t i = 0; i < found->n && rc == 0; i++) {
        const struct entry *e = &found->entries[i];

        if (e->count < r->choice.min_count || !ranking_wants(r, e->term) ||
            is_among(terms, n_terms, e->term))
            continue;
        hit.pair.y = e->term;
        hit.pair.count = e->count;
        hit.pair.fy = ranking_df(r, e->term);
        hit.score = scorer_strength(&r->scorer, &hit.pair);
        if (!(hit.score < r->least))
            rc = kept_add(&r->best, &hit, err);
    }
    return rc;
}

/* Limits that depend on the documents.  A count is at most the df of its
 * terms, so min_count limits the df too. */
static void limit_df(struct ranking *r, uint64_t fx)
{
    const struct cooc_rank_options *c = &r->choice;

    ranking_limit(r, c->min_count, UINT64_MAX);
    ranking_limit(r, c->commoner ? fx + 1 : 0,
                  c->rarer ? fx - 1 : UINT64_MAX);
}

int cooc_top(struct cooc *db, const uint32_t *terms, size_t n_terms,
             enum cooc_match join, const struct cooc_rank_options *choice,
             struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    struct partners *found = NULL;
    struct doc_set docs = { 0 };
    struct ranking r = { 0 };
    int rc = 0;

    if (choice && choice->rarer && choice->commoner)
        rc = err_set(err, COOC_EINVAL,
                     "no partner is both rarer and more frequent");
    if (rc == 0)
        rc = ranking_init(&r, db, choice, err);
    if (rc == 0)
        rc = doc_set_find(&docs, db, terms, n_terms, join, err);
    if (rc == 0) {
        limit_df(&r, docs.n);
        rc = partners_get(&found, db, err);
    }
    if (rc == 0)
        rc = partners_of_docs(found, db, &docs, r.first, r.last, err);
    if (rc == 0)
        rc = rank(&r, &docs, terms, n_terms, found, err);
    partners_put(found, db);
    doc_set_release(&docs);
    return ranking_finish(&r, rc, hits, n);
}
