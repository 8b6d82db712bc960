/* ask_between.c - "between": every term of a list with every term of
 * another. */
#include "ask/ask.h"
#include "ask/pair_list.h"
#include "ask/words.h"

/* The number of pairs; a term makes none with itself. */
static uint64_t count_pairs(const struct cooc_list *x,
                            const struct cooc_list *y)
{
    uint64_t same = 0;

    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            same += x->ids[i] == y->ids[j];
    return (uint64_t)x->n * y->n - same;
}

static int ask(struct answer *a, const void *args, size_t n_words,
               char *const *words, struct cooc_err *err)
{
    const struct pair_list_args *list_args = args;
    struct cooc_list x = { 0 }, y = { 0 };
    struct pair_list list;
    int rc;

    (void)n_words;
    cooc_show_stems(a->db, list_args->stems);
    rc = read_terms(a, words[0], true, &x, err);
    if (rc == 0)
        rc = read_terms(a, words[1], true, &y, err);
    if (rc == 0)
        rc = pair_list_begin(&list, args, a, count_pairs(&x, &y), err);
    if (rc == 0) {
        rc = cooc_between(a->db, x.ids, x.n, y.ids, y.n, pair_list_pair,
                          &list, err);
        rc = pair_list_end(&list, rc, err);
    }
    cooc_list_release(&x);
    cooc_list_release(&y);
    return rc;
}

const struct question question_between = {
    .usage = {
        .name = "between",
        .args = "[options] NAME.cooc A.txt B.txt",
        .summary = "test every term of a list with every term of another",
        .details = "The lists have a term a line.  a documents hold both "
                   "terms, b the one of A.txt alone, c the one of B.txt "
                   "alone, d neither; expected is what chance would give for "
                   "a.  p is the chance to meet in a documents or more "
                   "(Fisher's exact test), fisher is -log10 of it; with "
                   "--adjust it is also multiplied by the number of pairs of "
                   "the lists, but never above 1.  In a measure the term of "
                   "A.txt is x.  A term is not tested with itself.  Pairs "
                   "that never meet are there too: --min-count 1 leaves them "
                   "out.",
        .examples = "cooc between med.cooc genes.txt diseases.txt > "
                    "table.tsv\n"
                    "cooc between med.cooc genes.txt diseases.txt --by fisher "
                    "-n 50 --adjust\n"
                    "cooc between med.cooc genes.txt diseases.txt --measures "
                    "odds-ratio\n",
        .options = pair_list_options,
        .size = sizeof(struct pair_list_args),
        .defaults = &pair_list_defaults,
        .min = 3, .max = 3,
    },
    .check = pair_list_check,
    .ask = ask,
};
