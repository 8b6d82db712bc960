/* cmd_within.c - "cooc within": all pairs of a list, or their matrix. */
#include <string.h>

#include "cli/fail.h"
#include "cli/list_ask.h"
#include "cli/number.h"
#include "cli/shared.h"
#include "cli/text.h"

static int ask(struct list_ask *a, struct cooc *db,
               const struct cooc_list *list, struct cooc_err *err)
{
    uint64_t pairs = (uint64_t)list->n * (list->n - 1) / 2;
    int rc;

    list_ask_begin(a, db, pairs);
    rc = cooc_within(db, list->ids, list->n, list_ask_pair, a, err);
    return list_ask_end(a, rc, err);
}

/* ---- the matrix --------------------------------------------------------- */

struct matrix {
    struct cooc *db;
    const struct cooc_list *list;
    const struct cooc_measure *by;
    size_t next; /* column */
};

static int print_name(struct cooc *db, uint32_t id, struct cooc_err *err)
{
    const char *name;
    size_t len;
    int rc = cooc_term(db, id, &name, &len, err);

    if (rc == 0)
        (out_form(false) == OUT_HUMAN ? text_terminal
                                      : text_tsv)(stdout, name, len);
    return rc;
}

static void print_score(struct matrix *m, const struct cooc_pair *p)
{
    char buf[NUMBER_MAX];

    printf("\t%s", format_exact(buf, cooc_score(p, m->by)));
    m->next++;
}

/* A term with itself: it meets itself wherever it is. */
static int print_diagonal(struct matrix *m, uint32_t id, struct cooc_err *err)
{
    struct cooc_pair p;
    int rc = cooc_pair(m->db, id, id, &p, err);

    if (rc == 0)
        print_score(m, &p);
    return rc;
}

static int print_pair(void *self, const struct cooc_pair *p,
                      struct cooc_err *err)
{
    struct matrix *m = self;
    int rc = 0;

    if (m->list->ids[m->next] == p->x)
        rc = print_diagonal(m, p->x, err);
    if (rc == 0)
        print_score(m, p);
    return rc;
}

static int print_row(struct matrix *m, uint32_t id, struct cooc_err *err)
{
    int rc = print_name(m->db, id, err);

    m->next = 0;
    if (rc == 0)
        rc = cooc_between(m->db, &id, 1, m->list->ids, m->list->n, print_pair,
                          m, err);
    if (rc == 0 && m->next < m->list->n)
        rc = print_diagonal(m, id, err);
    putchar('\n');
    return rc;
}

static int print_matrix(const struct list_ask *a, struct cooc *db,
                        const struct cooc_list *list, struct cooc_err *err)
{
    struct matrix m = { .db = db, .list = list,
                        .by = a->by ? a->rank.by : cooc_measure(0) };
    int rc = 0;

    fputs("term", stdout);
    for (size_t i = 0; i < list->n && rc == 0; i++) {
        putchar('\t');
        rc = print_name(db, list->ids[i], err);
    }
    putchar('\n');
    for (size_t i = 0; i < list->n && rc == 0; i++)
        rc = print_row(&m, list->ids[i], err);
    return rc;
}

/* ---- the command -------------------------------------------------------- */

static int check_matrix(const struct list_ask *a, const char *measures,
                        struct cooc_err *err)
{
    if (a->json || a->adjust || a->limit || a->min_count ||
        a->measure_names != measures)
        return fail(err, COOC_EINVAL, "--matrix is all pairs in tab-separated "
                    "columns: of the other options it takes --by alone");
    return 0;
}

static int run_within(int argc, char **argv, struct cooc_err *err)
{
    bool matrix = false;
    struct list_ask a;
    const struct opt opts[] = {
        OPT_TABLE(a.opts),
        OPT_FLAG(0, "matrix", &matrix,
                 "the counts, or with --by a measure, as a square"),
        OPT_END
    };
    struct cooc_list list = { 0 };
    struct cooc *db = NULL;
    const char *measures;
    int rc;

    list_ask_init(&a);
    measures = a.measure_names;
    rc = opt_parse(&argc, &argv, opts, &cmd_within, 2, 2, err);
    if (rc)
        return rc;
    rc = list_ask_measures(&a, err);
    if (rc == 0 && matrix)
        rc = check_matrix(&a, measures, err);
    if (rc == 0)
        rc = open_store(&db, argv[0], a.stems, err);
    if (rc == 0)
        rc = list_ask_read(db, argv[1], &list, err);
    if (rc == 0)
        rc = matrix ? print_matrix(&a, db, &list, err)
                    : ask(&a, db, &list, err);
    cooc_list_release(&list);
    list_ask_release(&a);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_within = {
    .name = "within", .group = CMD_ASK,
    .args = "[options] NAME.cooc LIST.txt",
    .summary = "test every pair of a list's terms, or print their matrix",
    .details = "The list has a term a line; the columns are those of 'cooc "
               "between', and term1 is the one that comes first in the list.  "
               "--matrix prints a line and a column for each term, always "
               "tab-separated; a term with itself counts its documents.  In a "
               "measure the term of the line is x.",
    .examples = "cooc within med.cooc genes.txt --by llr -n 100\n"
                "cooc within med.cooc genes.txt --matrix > counts.tsv\n"
                "cooc within med.cooc genes.txt --matrix --by jaccard\n",
    .run = run_within,
};
