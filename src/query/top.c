/* top.c - the strongest partners of a term, or of several. */
#include "base/err.h"
#include "query/choice.h"
#include "query/partners.h"
#include "query/wanted_terms.h"

struct ranking {
    const struct cooc *db;
    const struct cooc_choice *choice;
    const uint32_t *terms; /* that were asked for */
    size_t n_terms;
    struct doc_set docs;   /* of the terms */
    struct scorer scorer;
    struct wanted_terms filter;
    struct best best;
};

static bool asked_for(const struct ranking *r, uint32_t t)
{
    for (size_t i = 0; i < r->n_terms; i++)
        if (r->terms[i] == t)
            return true;
    return false;
}

/* A partner's count is at most its df, so min_count limits the df too. */
static void limit_df(struct ranking *r)
{
    const struct cooc_choice *c = r->choice;

    wanted_limit(&r->filter, c->min_count, UINT64_MAX);
    wanted_limit(&r->filter, c->commoner ? r->docs.n + 1 : 0,
                 c->rarer ? r->docs.n - 1 : UINT64_MAX);
}

static int rank(struct ranking *r, const struct partners *found,
                struct cooc_err *err)
{
    struct cooc_hit hit = { .pair = { .x = r->docs.term, .df_x = r->docs.n } };
    double least = choice_least(r->choice, &r->scorer);
    int rc = 0;

    hit.pair.documents = r->db->store.docs.n_docs;
    for (size_t i = 0; i < found->n && rc == 0; i++) {
        const struct cooc_entry *e = &found->entries[i];

        if (e->count < r->choice->min_count ||
            !is_wanted(&r->filter, e->term) || asked_for(r, e->term))
            continue;
        hit.pair.y = e->term;
        hit.pair.count = e->count;
        hit.pair.df_y = wanted_df(&r->filter, e->term);
        hit.score = scorer_strength(&r->scorer, &hit.pair);
        if (!(hit.score < least))
            rc = best_add(&r->best, &hit, err);
    }
    return rc;
}

int cooc_top(struct cooc *db, const uint32_t *terms, size_t n_terms,
             enum cooc_join join, const struct cooc_choice *choice,
             struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    struct cooc_choice usual;
    struct ranking r = { .db = db, .choice = choice, .terms = terms,
                         .n_terms = n_terms };
    struct partners *found = NULL;
    int rc;

    *hits = NULL;
    *n = 0;
    cooc_choice_init(&usual);
    if (!choice)
        r.choice = &usual;
    r.best.limit = r.choice->limit;
    if (r.choice->rarer && r.choice->commoner)
        return err_set(err, COOC_EINVAL,
                       "no partner is both rarer and more frequent");
    rc = scorer_init(&r.scorer, db, &r.choice->by, err);
    if (rc == 0)
        rc = wanted_terms_init(&r.filter, db, r.choice, err);
    if (rc == 0)
        rc = doc_set_find(&r.docs, db, terms, n_terms, join, err);
    if (rc == 0) {
        limit_df(&r);
        rc = partners_get(&found, db, err);
    }
    if (rc == 0)
        rc = partners_of_docs(found, db, &r.docs, r.filter.first,
                              r.filter.last, err);
    if (rc == 0)
        rc = rank(&r, found, err);
    partners_put(found, db);
    wanted_terms_release(&r.filter);
    doc_set_release(&r.docs);
    if (rc < 0)
        best_release(&r.best);
    else
        choice_finish(&r.scorer, &r.best, hits, n);
    return rc;
}
