/* weights.c - weigh rows, with tables of logarithms for PPMI. */
#include "query/weights.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define COUNTS_MAX 65536u /* counts in the table */
#define NEAR_ZERO 1e-3    /* below it, PPMI is computed by the formula */

static uint64_t df_of(const struct weights *w, uint32_t t)
{
    return w->off[t + 1] - w->off[t];
}

/* log2 of v, or 0 for v = 0, which only a damaged store has. */
static double log_of(uint64_t v)
{
    return v ? log2((double)v) : 0;
}

/* Fill a table of log2 df for the ids below n.  Adjacent ids often have equal
 * df. */
static void fill_logs(const struct weights *w, double *logs, uint32_t n,
                      double power, double add)
{
    uint64_t last = UINT64_MAX;
    double value = 0;

    for (uint32_t t = 0; t < n; t++) {
        uint64_t df = df_of(w, t);

        if (df != last)
            value = log_of(df) * power + add;
        last = df;
        logs[t] = value;
    }
}

static int make_tables(struct weights *w, uint32_t n, struct cooc_err *err)
{
    const struct scorer *s = &w->scorer;
    bool smooth = s->smoothing != 0;
    double *plain, *smoothed;

    w->n_counts = w->documents < COUNTS_MAX ? (uint32_t)w->documents + 1
                                            : COUNTS_MAX;
    w->log_count = mem_array(w->n_counts + (size_t)n * (1 + smooth),
                             sizeof *w->log_count);
    if (!w->log_count)
        return err_nomem(err);
    for (uint32_t a = 0; a < w->n_counts; a++)
        w->log_count[a] = log_of(a);
    plain = smoothed = w->log_count + w->n_counts;
    fill_logs(w, plain, n, 1, 0);
    if (smooth) {
        smoothed = plain + n;
        fill_logs(w, smoothed, n, s->smoothing, log2(s->scale));
    }
    w->log_x = s->reverse ? smoothed : plain;
    w->log_y = s->reverse ? plain : smoothed;
    w->log_total = log_of(w->documents) - s->shift;
    return 0;
}

int weights_init(struct weights *w, struct cooc *db,
                 const struct cooc_scoring *by, uint32_t n,
                 struct cooc_err *err)
{
    int rc;

    *w = (struct weights){ .documents = db->store.docs.n_docs };
    rc = scorer_init(&w->scorer, db, by, err);
    if (rc == 0 && w->scorer.m->no_weight)
        return err_option(err, COOC_EINVAL, "scoring",
                          "the measure %s cannot be a weight, because %s; "
                          "use another one, for example ppmi",
                          w->scorer.m->about.name, w->scorer.m->no_weight);
    if (rc == 0)
        rc = db_offsets(db, &w->off, err);
    if (rc == 0 && !strcmp(w->scorer.m->about.name, "ppmi"))
        rc = make_tables(w, n, err);
    return rc;
}

void weights_release(struct weights *w)
{
    mem_free(w->log_count);
    *w = (struct weights){ 0 };
}

double weights_of(const struct weights *w, uint32_t x, uint32_t y,
                  uint32_t count)
{
    const struct cooc_pair p = { .x = x, .y = y, .count = count,
                                 .fx = df_of(w, x), .fy = df_of(w, y),
                                 .total = w->documents };

    return scorer_score(&w->scorer, &p);
}

/* ---- rows --------------------------------------------------------------- */

static int make_room(const struct weights *w, struct weighed_row *row,
                     size_t n, struct cooc_err *err)
{
    int rc = array_grow(&row->columns, &row->cap, n + 1, sizeof *row->columns,
                        err);

    if (rc == 0)
        rc = array_grow(&row->own, &row->own_cap, n + 1, sizeof *row->own,
                        err);
    if (!scorer_directed(&w->scorer))
        return rc;
    return rc < 0 ? rc : array_grow(&row->back, &row->back_cap, n + 1,
                                    sizeof *row->back, err);
}

/* PPMI from the tables, unless it is near 0. */
static inline double ppmi(const struct weights *w, double base, double log_y,
                          uint32_t x, uint32_t y, uint32_t count)
{
    double v = base - log_y;

    if (fabs(v) < NEAR_ZERO)
        return weights_of(w, x, y, count);
    return v;
}

/* Without branches that depend on the sign: PPMI is positive for about every
 * second pair. */
static size_t weigh_ppmi(const struct weights *w, uint32_t t,
                         const struct entry *e, size_t n, const uint8_t *used,
                         struct weighed_row *out)
{
    double base = w->log_total - w->log_x[t], *own = out->own;
    uint32_t *columns = out->columns;
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t s = e[i].term, a = e[i].count;
        double log_a = a < w->n_counts ? w->log_count[a] : log_of(a);
        double v = ppmi(w, base + log_a, w->log_y[s], t, s, a);

        columns[m] = s;
        own[m] = v;
        m += v > 0 && (!used || used[s]);
    }
    return m;
}

/* The same with smoothing. */
static size_t weigh_ppmi_both(const struct weights *w, uint32_t t,
                              const struct entry *e, size_t n,
                              const uint8_t *used, struct weighed_row *out)
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t s = e[i].term, a = e[i].count;
        double log_a = a < w->n_counts ? w->log_count[a] : log_of(a);
        double base = w->log_total + log_a;
        double v = ppmi(w, base - w->log_x[t], w->log_y[s], t, s, a);
        double z = ppmi(w, base - w->log_x[s], w->log_y[t], s, t, a);

        out->columns[m] = s;
        out->own[m] = fmax(v, 0);
        out->back[m] = fmax(z, 0);
        m += (v > 0 || z > 0) && (!used || used[s]);
    }
    return m;
}

static size_t weigh_any(const struct weights *w, uint32_t t,
                        const struct entry *e, size_t n, const uint8_t *used,
                        struct weighed_row *out)
{
    bool both = scorer_directed(&w->scorer);
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t s = e[i].term;

        if (used && !used[s])
            continue;
        out->columns[m] = s;
        out->own[m] = weights_of(w, t, s, e[i].count);
        if (both)
            out->back[m] = weights_of(w, s, t, e[i].count);
        m += out->own[m] != 0 || (both && out->back[m] != 0);
    }
    return m;
}

int weigh_row(const struct weights *w, uint32_t t, const struct entry *e,
              size_t n, const uint8_t *used, struct weighed_row *out,
              struct cooc_err *err)
{
    bool both = scorer_directed(&w->scorer);
    int rc;

    out->n = 0;
    if (!both)
        out->back = NULL; /* it is own, which may move */
    rc = make_room(w, out, n, err);
    if (rc < 0)
        return rc;
    if (!both)
        out->back = out->own;
    out->n = (!w->n_counts ? weigh_any
              : both       ? weigh_ppmi_both
                           : weigh_ppmi)(w, t, e, n, used, out);
    return 0;
}

void weighed_row_release(struct weighed_row *row)
{
    mem_free(row->columns);
    if (row->back != row->own)
        mem_free(row->back);
    mem_free(row->own);
    *row = (struct weighed_row){ 0 };
}
