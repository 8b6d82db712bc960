/* top.c - the strongest partners of a term, or of several. */
#include "base/err.h"
#include "query/choice.h"
#include "query/doc_set.h"
#include "query/partners.h"
#include "query/wanted_terms.h"

/* Is y on the wanted side of x? */
static bool on_side(const struct cooc_pair *p, const struct cooc_choice *c)
{
    return !(c->rarer && p->df_y >= p->df_x) &&
           !(c->commoner && p->df_y <= p->df_x);
}

struct ranking {
    const struct cooc *db;
    const struct cooc_choice *choice;
    const uint32_t *terms; /* that were asked for */
    size_t n_terms;
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

static int rank(struct ranking *r, const struct partners *found,
                uint64_t df_x, struct cooc_err *err)
{
    struct cooc_hit hit = { .pair = { .df_x = df_x } };
    double least = choice_least(r->choice, &r->scorer);
    int rc = 0;

    hit.pair.x = r->n_terms == 1 ? r->terms[0] : COOC_SEVERAL;
    hit.pair.documents = r->db->store.docs.n_docs;
    for (size_t i = 0; i < found->n && rc == 0; i++) {
        const struct cooc_entry *e = &found->entries[i];

        if (e->count < r->choice->min_count ||
            !is_wanted(&r->filter, e->term) || asked_for(r, e->term))
            continue;
        hit.pair.y = e->term;
        hit.pair.count = e->count;
        hit.pair.df_y = wanted_df(&r->filter, e->term);
        if (!on_side(&hit.pair, r->choice))
            continue;
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
    struct partners found = { 0 };
    struct doc_set docs = { 0 };
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
        rc = doc_set_find(&docs, db, terms, n_terms, join, err);
    if (rc == 0)
        rc = partners_init(&found, db, err);
    if (rc == 0)
        rc = partners_of_docs(&found, db, docs.docs, docs.n, err);
    if (rc == 0)
        rc = rank(&r, &found, docs.n, err);
    partners_release(&found, db);
    wanted_terms_release(&r.filter);
    doc_set_release(&docs);
    if (rc < 0)
        best_release(&r.best);
    else
        choice_finish(&r.scorer, &r.best, hits, n);
    return rc;
}
