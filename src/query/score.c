/* score.c - compute the score of a pair from its 2x2 table. */
#include "query/score.h"

#include <math.h>

#include "base/err.h"
#include "cooc_bulk.h"

/* Compute P / S.  It is cached, because callers often score one row at a time.
 * */
static int find_scale(struct cooc *db, double smoothing, double *scale,
                      struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    double sum = 0, power = 0;
    uint64_t df, last = 0;
    int rc = 0;

    pthread_mutex_lock(&db->lock);
    if (db->smoothing != smoothing) {
        for (uint32_t t = 0; t < c->n_terms && rc == 0; t++) {
            rc = collection_df(c, t, &df, err);
            if (df != last)
                power = pow((double)df, smoothing);
            last = df;
            sum += power;
        }
        if (rc == 0) {
            db->smoothing = smoothing;
            db->scale = sum > 0 ? (double)c->n_postings / sum : 1;
        }
    }
    *scale = db->scale;
    pthread_mutex_unlock(&db->lock);
    return rc;
}

int scorer_init(struct scorer *s, struct cooc *db,
                const struct cooc_scoring *by, struct cooc_err *err)
{
    const struct measure *m = measure_named(by->measure);

    *s = (struct scorer){ .m = m, .reverse = by->reverse };
    if (!m)
        return err_option(err, COOC_EINVAL, "scoring",
                          "unknown measure '%.40s'",
                          by->measure->name ? by->measure->name : "");
    if (!(by->shift >= 0) || isinf(by->shift))
        return err_option(err, COOC_EINVAL, "scoring",
                          "shift must be a finite number greater than 0, not "
                          "%g", by->shift);
    if (!(by->smoothing >= 0 && by->smoothing <= SMOOTHING_MAX))
        return err_option(err, COOC_EINVAL, "scoring",
                          "smoothing must be greater than 0 and at most %d, "
                          "not %g", SMOOTHING_MAX, by->smoothing);
    for (size_t i = 0; i < sizeof by->reserved / sizeof *by->reserved; i++)
        if (by->reserved[i])
            return err_option(err, COOC_EINVAL, "scoring",
                              "a field is set that version " COOC_VERSION
                              " of the library does not support");
    if ((by->shift != 0 || by->smoothing != 0) && !m->context)
        return err_option(err, COOC_EINVAL, "scoring",
                          "shift and smoothing are not supported by the "
                          "measure %s; use pmi or ppmi", m->about.name);
    if (by->shift != 0)
        s->shift = log2(by->shift);
    if (by->smoothing == 0 || by->smoothing == 1)
        return 0;
    s->smoothing = by->smoothing;
    return find_scale(db, by->smoothing, &s->scale, err);
}

bool pair_possible(const struct cooc_pair *p)
{
    return p->count <= p->fx && p->count <= p->fy &&
           p->fx <= p->total && p->fy <= p->total &&
           p->fx - p->count <= p->total - p->fy;
}

/* The table of a pair, which must be possible. */
static struct cells cells_of(const struct scorer *s,
                             const struct cooc_pair *p)
{
    struct cells t = { .a = (double)p->count, .n = (double)p->total };

    t.fx = (double)(s->reverse ? p->fy : p->fx);
    t.fy = (double)(s->reverse ? p->fx : p->fy);
    t.b = t.fx - t.a;
    t.c = t.fy - t.a;
    t.d = (double)(p->total - p->fx - (p->fy - p->count));
    t.e = t.fx * t.fy / t.n;
    if (s->smoothing != 0)
        t.e = t.fx * pow(t.fy, s->smoothing) * s->scale / t.n;
    t.shift = s->shift;
    return t;
}

double scorer_score(const struct scorer *s, const struct cooc_pair *p)
{
    struct cells t;

    if (!p->total || !pair_possible(p))
        return s->m == &measures[0] ? (double)p->count : 0;
    t = cells_of(s, p);
    return s->m->of(&t);
}

double cooc_score(const struct cooc_pair *p, const struct cooc_measure *m)
{
    struct scorer s = { .m = measure_named(m) };

    return s.m ? scorer_score(&s, p) : 0;
}

double scorer_at_most(const struct scorer *s, const struct cooc_pair *p)
{
    struct cells t;

    if (!s->m->at_most || !p->total || !pair_possible(p))
        return INFINITY;
    t = cells_of(s, p);
    return s->m->at_most(&t);
}

int cooc_scores(struct cooc *db, const struct cooc_scoring *by, uint32_t x,
                const struct cooc_entry *entries, size_t n, double *out,
                struct cooc_err *err)
{
    struct cooc_pair p;
    struct scorer s;
    int rc = scorer_init(&s, db, by, err);

    if (rc == 0)
        rc = db_pair(db, x, x, &p, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        p.y = entries[i].term;
        p.count = entries[i].count;
        rc = collection_df(&db->store.docs, p.y, &p.fy, err);
        if (rc == 0)
            out[i] = scorer_score(&s, &p);
    }
    return rc;
}
