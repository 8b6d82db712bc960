/* pair_out.c - pairs of terms as a table, with the measures asked for. */
#include "cli/pair_out.h"

#include <math.h>
#include <string.h>

#include "cli/choice_args.h"
#include "cli/fail.h"

/* ---- which measures ----------------------------------------------------- */

int measure_list_add(struct measure_list *list, const struct cooc_measure *m,
                     struct cooc_err *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->m[i] == m)
            return 0;
    if (list->n == sizeof list->m / sizeof *list->m)
        return fail(err, COOC_ELIMIT, "--measures: at most %zu",
                    list->n);
    list->m[list->n++] = m;
    return 0;
}

int measure_list_parse(struct measure_list *list, const char *names,
                       struct cooc_err *err)
{
    const struct cooc_measure *m;
    int rc = 0;

    list->n = 0;
    if (!strcmp(names, "none"))
        return 0;
    if (!strcmp(names, "all")) {
        for (unsigned i = 1; (m = cooc_measure(i)) != NULL && rc == 0; i++)
            rc = measure_list_add(list, m, err);
        return rc;
    }
    for (;;) {
        size_t len = strcspn(names, ",");
        char name[81];

        snprintf(name, sizeof name, "%.*s", (int)(len > 80 ? 80 : len),
                 names);
        rc = find_measure("measures", name, &m, err);
        if (rc == 0 && m != cooc_measure(0)) /* there is such a column */
            rc = measure_list_add(list, m, err);
        if (rc < 0 || !names[len])
            return rc;
        names += len + 1;
    }
}

/* ---- the table ---------------------------------------------------------- */

static void add_column(struct pair_out *t, const char *label, int decimals)
{
    t->columns[t->n++] = (struct column){ label, decimals };
}

void pair_out_begin(struct pair_out *t)
{
    static const char *const counts[] = { "term1", "term2", "count", "df1",
                                          "df2" };
    static const char *const cells[] = { "term1", "term2", "a", "b", "c", "d",
                                         "expected" };
    bool in_cells = t->form == PAIR_CELLS;

    t->n = 0;
    for (size_t i = 0; i < (in_cells ? 7 : 5); i++)
        add_column(t, in_cells ? cells[i] : counts[i], 2);
    for (size_t i = 0; i < t->measures->n; i++)
        add_column(t, t->measures->m[i]->name, 4);
    if (in_cells)
        add_column(t, "p", 0);
    if (in_cells && t->tests > 0)
        add_column(t, "p adjusted", 0);
    out_list(&t->out, NULL, t->columns, t->n);
}

/* Counts, and what is to be expected. */
static struct cell *add_cells(struct cell *c, const struct cooc_pair *p)
{
    uint64_t b = p->df_x - p->count, rest = p->documents - p->df_y;

    *c++ = (struct cell)CELL_COUNT(p->count);
    *c++ = (struct cell)CELL_COUNT(b);
    *c++ = (struct cell)CELL_COUNT(p->df_y - p->count);
    *c++ = (struct cell)CELL_COUNT(rest - b);
    *c++ = (struct cell)CELL_REAL((double)p->df_x * (double)p->df_y /
                                  (double)p->documents);
    return c;
}

static struct cell *add_counts(struct cell *c, uint64_t count, uint64_t df_x,
                               uint64_t df_y)
{
    *c++ = (struct cell)CELL_COUNT(count);
    *c++ = (struct cell)CELL_COUNT(df_x);
    *c++ = (struct cell)CELL_COUNT(df_y);
    return c;
}

static int add_names(struct pair_out *t, const struct cooc_pair *p,
                     struct cooc_err *err)
{
    const uint32_t ids[] = { p->x, p->y };

    for (int i = 0; i < 2; i++) {
        const char *name;
        size_t len;
        int rc = cooc_term(t->db, ids[i], &name, &len, err);

        if (rc < 0)
            return rc;
        t->cells[i] = (struct cell)CELL_TEXT(name, len);
    }
    return 0;
}

int pair_out_row(struct pair_out *t, const struct cooc_pair *p,
                   struct cooc_err *err)
{
    const struct cooc_measure *fisher;
    struct cell *c = t->cells + 2;
    double minus_log = NAN;
    int rc = add_names(t, p, err);

    if (rc == 0)
        rc = cooc_measure_find("fisher", &fisher, err);
    if (rc < 0)
        return rc;
    if (t->form == PAIR_CELLS) {
        minus_log = cooc_score(p, fisher);
        c = add_cells(c, p);
    } else {
        c = add_counts(c, p->count, p->df_x, p->df_y);
    }
    for (size_t i = 0; i < t->measures->n; i++) {
        const struct cooc_measure *m = t->measures->m[i];
        bool known = m == fisher && t->form == PAIR_CELLS;

        *c++ = (struct cell)CELL_REAL(known ? minus_log : cooc_score(p, m));
    }
    if (t->form == PAIR_CELLS) {
        *c++ = (struct cell)CELL_POWER(-minus_log);
        *c = (struct cell)CELL_POWER(fmin(0, log10(t->tests) - minus_log));
    }
    return out_row(&t->out, t->cells, err);
}

/* The name and df of a word that may be a term. */
static int add_word(struct pair_out *t, const struct pair_word *w,
                    struct cell *name, uint64_t *df, struct cooc_err *err)
{
    const char *text = w->text;
    size_t len = w->len;
    int rc = 0;

    *df = 0;
    if (w->known)
        rc = cooc_term(t->db, w->id, &text, &len, err);
    if (rc == 0 && w->known)
        rc = cooc_df(t->db, w->id, df, err);
    *name = (struct cell)CELL_TEXT(text, len);
    return rc;
}

int pair_out_unknown(struct pair_out *t, const struct pair_word *x,
                       const struct pair_word *y, struct cooc_err *err)
{
    uint64_t df_x, df_y;
    struct cell *c;
    int rc = add_word(t, x, &t->cells[0], &df_x, err);

    if (rc == 0)
        rc = add_word(t, y, &t->cells[1], &df_y, err);
    if (rc < 0)
        return rc;
    c = add_counts(t->cells + 2, 0, df_x, df_y);
    for (size_t i = 0; i < t->measures->n; i++)
        *c++ = (struct cell)CELL_REAL(NAN);
    return out_row(&t->out, t->cells, err);
}

int pair_out_end(struct pair_out *t, struct cooc_err *err)
{
    return out_list_end(&t->out, err);
}

void pair_out_release(struct pair_out *t)
{
    out_release(&t->out);
}
