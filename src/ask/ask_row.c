/* ask_row.c - "row": every partner of a term. */
#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "ask/measure_list.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "base/mem.h"

struct row_args {
    const char *measures, *order;
};

static const char *const orders[] = { "df", "name", NULL };

static const struct opt options[] = {
    OPT_TEXT(struct row_args, measures, 0, "measures", "LIST", NULL,
             MEASURES_HELP),
    OPT_NAME(struct row_args, order, 0, "order", "ORDER", NULL, orders,
             "sort by document frequency or by name"),
    OPT_END
};

static const struct row_args defaults = { .measures = "none", .order = "df" };

struct partner {
    struct text_span name;
    struct cooc_entry entry;
};

struct partner_row {
    struct text_span name;
    struct cooc_pair pair;
    double scores[MEASURES_MAX];
};

static const struct field partner_fields[] = {
    FIELD_BYTES(struct partner_row, name, "term"),
    FIELD_COUNT(struct partner_row, pair.count, "count"),
    FIELD_COUNT(struct partner_row, pair.fy, "df"),
    FIELD_END
};

static int by_name(const void *a, const void *b)
{
    const struct text_span *x = &((const struct partner *)a)->name;
    const struct text_span *y = &((const struct partner *)b)->name;
    int cmp = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

    return cmp ? cmp : (x->len > y->len) - (x->len < y->len);
}

/* Get the partners of x with their names; the caller frees *out with
 * mem_free(). */
static int get_partners(const struct answer *a, uint32_t x,
                        struct partner **out, size_t *n, struct cooc_err *err)
{
    struct cooc_entry *row = NULL;
    struct partner *p = NULL;
    int rc = cooc_row(a->db, x, &row, n, err);

    if (rc == 0) {
        p = mem_array(*n, sizeof *p);
        rc = p ? 0 : err_nomem(err);
    }
    for (size_t i = 0; rc == 0 && i < *n; i++) {
        p[i].entry = row[i];
        rc = answer_name(a, row[i].term, &p[i].name, err);
    }
    cooc_free(row);
    *out = p;
    return rc;
}

static int answer_partners(struct answer *a, uint32_t x,
                           const struct partner *all, size_t n,
                           const struct measure_list *measures,
                           struct cooc_err *err)
{
    struct field fields[FIELDS_MAX] = { FIELD_END };
    struct partner_row row;
    int rc = cooc_pair_get(a->db, x, x, &row.pair, err);

    fields_add(fields, partner_fields);
    measure_list_fields(measures, offsetof(struct partner_row, scores),
                        fields);
    answer_list(a, NULL, fields);
    for (size_t i = 0; i < n && rc == 0; i++) {
        row.name = all[i].name;
        row.pair.y = all[i].entry.term;
        row.pair.count = all[i].entry.count;
        rc = cooc_term_df(a->db, row.pair.y, &row.pair.fy, err);
        measure_list_scores(measures, &row.pair, row.scores);
        if (rc == 0)
            rc = answer_row(a, &row, err);
    }
    return rc < 0 ? rc : answer_list_end(a, err);
}

static int check(const struct request *q, struct cooc_err *err)
{
    const struct row_args *row = q->args;
    struct measure_list measures;

    return measure_list_parse(&measures, row->measures, err);
}

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct row_args *row = q->args;
    struct measure_list measures;
    struct partner *all = NULL;
    uint32_t terms[TERMS_MAX];
    size_t n;
    int rc = measure_list_parse(&measures, row->measures, err);

    if (rc == 0)
        rc = find_terms(a->db, q->n_words, q->words, terms, err);
    if (rc == 0)
        rc = get_partners(a, terms[0], &all, &n, err);
    if (rc == 0 && !strcmp(row->order, "name"))
        qsort(all, n, sizeof *all, by_name);
    if (rc == 0)
        rc = answer_partners(a, terms[0], all, n, &measures, err);
    mem_free(all);
    return rc;
}

const struct question question_row = {
    .usage = {
        .name = "row", .min = 2, .max = 2,
        .args = "[options] NAME.cooc TERM",
        .summary = "list every term that co-occurs with a term",
        .details = "Use this to get all partners of TERM, rarer and more "
                   "frequent ones alike; use 'cooc top' for a ranked list. "
                   "Works on a store that is only indexed.",
        .output = "One row per partner, with these columns:\n"
                  "- term: the partner, a term that shares documents with "
                  "TERM\n"
                  "- count: number of documents that contain both\n"
                  "- df: number of documents that contain the partner\n"
                  "and the measures that --measures names. In the formulas "
                  "of 'cooc measures', TERM is x and the partner is y.",
        .examples = "cooc row news.cooc coffee > coffee.tsv\n"
                    "cooc row news.cooc coffee --measures npmi,llr --order "
                    "name\n",
        .options = options, .size = sizeof(struct row_args),
        .defaults = &defaults,
    },
    .stems = true,
    .check = check,
    .ask = ask,
};
