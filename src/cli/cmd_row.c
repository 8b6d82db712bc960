/* cmd_row.c - "cooc row": every partner of a term. */
#include <stdlib.h>
#include <string.h>

#include "cli/fail.h"
#include "cli/pair_out.h"
#include "cli/shared.h"

struct partner {
    struct cell name;
    struct cooc_entry entry;
};

static int by_name(const void *a, const void *b)
{
    const struct cell *x = &((const struct partner *)a)->name;
    const struct cell *y = &((const struct partner *)b)->name;
    int cmp = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

    return cmp ? cmp : (x->len > y->len) - (x->len < y->len);
}

/* The partners of x with their names; for free(). */
static int get_partners(struct cooc *db, uint32_t x, struct partner **out,
                        size_t *n, struct cooc_err *err)
{
    struct cooc_entry *row = NULL;
    struct partner *p = NULL;
    int rc = cooc_row(db, x, &row, n, err);

    if (rc == 0) {
        p = calloc(*n ? *n : 1, sizeof *p);
        rc = p ? 0 : fail_nomem(err);
    }
    for (size_t i = 0; rc == 0 && i < *n; i++) {
        const char *name;
        size_t len;

        rc = cooc_term(db, row[i].term, &name, &len, err);
        if (rc == 0)
            p[i] = (struct partner){ CELL_TEXT(name, len), row[i] };
    }
    cooc_row_free(row);
    *out = p;
    return rc;
}

static int print_partners_of(struct out *o, struct cooc *db, uint32_t x,
                             const struct partner *all, size_t n,
                             const struct measure_list *measures,
                             struct cooc_err *err)
{
    struct column columns[OUT_COLUMNS] = { { "term", 0 }, { "count", 0 },
                                           { "df", 0 } };
    struct cell cells[OUT_COLUMNS];
    struct cooc_pair p;
    int rc = cooc_pair(db, x, x, &p, err);

    for (size_t i = 0; i < measures->n; i++)
        columns[3 + i] = (struct column){ measures->m[i]->name, 4 };
    out_list(o, NULL, columns, 3 + measures->n);
    for (size_t i = 0; i < n && rc == 0; i++) {
        p.y = all[i].entry.term;
        p.count = all[i].entry.count;
        rc = cooc_df(db, p.y, &p.df_y, err);
        cells[0] = all[i].name;
        cells[1] = (struct cell)CELL_COUNT(p.count);
        cells[2] = (struct cell)CELL_COUNT(p.df_y);
        for (size_t k = 0; k < measures->n; k++)
            cells[3 + k] =
                (struct cell)CELL_REAL(cooc_score(&p, measures->m[k]));
        if (rc == 0)
            rc = out_row(o, cells, err);
    }
    return rc < 0 ? rc : out_list_end(o, err);
}

static int run_row(int argc, char **argv, struct cooc_err *err)
{
    static const char *const orders[] = { "df", "name", NULL };
    const char *order = orders[0], *names = "none";
    struct measure_list measures;
    bool json = false, stems = false;
    const struct opt opts[] = {
        OPT_TEXT(0, "measures", &names, "LIST", NULL, MEASURES_HELP),
        OPT_NAME(0, "order", &order, "ORDER", NULL, orders,
                 "the most frequent partner first, or by name"),
        OPT_STEMS(&stems),
        OPT_FLAG(0, "json", &json, JSON_LINES),
        OPT_END
    };
    struct partner *all = NULL;
    struct cooc *db = NULL;
    struct out out;
    uint32_t x;
    size_t n;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_row, 2, 2, err);
    if (rc)
        return rc;
    out_init(&out, stdout, out_form(json));
    rc = measure_list_parse(&measures, names, err);
    if (rc == 0)
        rc = open_store(&db, argv[0], stems, err);
    if (rc == 0)
        rc = find_term(db, argv[1], &x, err);
    if (rc == 0)
        rc = get_partners(db, x, &all, &n, err);
    if (rc == 0 && n && order == orders[1])
        qsort(all, n, sizeof *all, by_name);
    if (rc == 0)
        rc = print_partners_of(&out, db, x, all, n, &measures, err);
    out_release(&out);
    free(all);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_row = {
    .name = "row", .group = CMD_ASK,
    .args = "[options] NAME.cooc TERM",
    .summary = "list every term that ever meets TERM",
    .details = "All partners, rarer and more frequent alike; df is the number "
               "of documents that hold the partner.  'cooc top' ranks them.  "
               "In a measure TERM is x.",
    .examples = "cooc row news.cooc coffee > coffee.tsv\n"
                "cooc row news.cooc coffee --measures npmi,llr --order name\n",
    .run = run_row,
};
