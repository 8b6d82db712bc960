/* cmd_between.c - "cooc between": every term of a list with every term of
 * another. */
#include "cli/list_ask.h"
#include "cli/shared.h"

/* How many pairs that is; a term has none with itself. */
static uint64_t count_pairs(const struct cooc_list *x,
                            const struct cooc_list *y)
{
    uint64_t same = 0;

    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            same += x->ids[i] == y->ids[j];
    return (uint64_t)x->n * y->n - same;
}

static int ask(struct list_ask *a, struct cooc *db, char **files,
               struct cooc_err *err)
{
    struct cooc_list x = { 0 }, y = { 0 };
    int rc = list_ask_read(db, files[0], &x, err);

    if (rc == 0)
        rc = list_ask_read(db, files[1], &y, err);
    if (rc == 0) {
        list_ask_begin(a, db, count_pairs(&x, &y));
        rc = cooc_between(db, x.ids, x.n, y.ids, y.n, list_ask_pair, a, err);
        rc = list_ask_end(a, rc, err);
    }
    cooc_list_release(&x);
    cooc_list_release(&y);
    return rc;
}

static int run_between(int argc, char **argv, struct cooc_err *err)
{
    struct list_ask a;
    const struct opt opts[] = { OPT_TABLE(a.opts), OPT_END };
    struct cooc *db = NULL;
    int rc;

    list_ask_init(&a);
    rc = opt_parse(&argc, &argv, opts, &cmd_between, 3, 3, err);
    if (rc)
        return rc;
    rc = list_ask_measures(&a, err);
    if (rc == 0)
        rc = open_store(&db, argv[0], a.stems, err);
    if (rc == 0)
        rc = ask(&a, db, argv + 1, err);
    list_ask_release(&a);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_between = {
    .name = "between", .group = CMD_ASK,
    .args = "[options] NAME.cooc A.txt B.txt",
    .summary = "test every term of a list with every term of another",
    .details = "The lists have a term a line.  a documents hold both terms, b "
               "the one of A.txt alone, c the one of B.txt alone, d neither; "
               "expected is what chance would give for a.  p is the chance to "
               "meet in a documents or more (Fisher's exact test), fisher is "
               "-log10 of it; with --adjust it is also multiplied by the "
               "number of pairs of the lists, but never above 1.  In a "
               "measure the term of A.txt is x.  A term is not tested with "
               "itself.  Pairs that never meet are there too: --min-count 1 "
               "leaves them out.",
    .examples = "cooc between med.cooc genes.txt diseases.txt > table.tsv\n"
                "cooc between med.cooc genes.txt diseases.txt --by fisher "
                "-n 50 --adjust\n"
                "cooc between med.cooc genes.txt diseases.txt "
                "--measures odds-ratio\n",
    .run = run_between,
};
