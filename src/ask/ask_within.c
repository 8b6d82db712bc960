/* ask_within.c - "within": all pairs of a list. */
#include "ask/ask.h"
#include "ask/pair_list.h"
#include "ask/words.h"

static int ask(struct answer *a, const void *args, size_t n_words,
               char *const *words, struct cooc_err *err)
{
    const struct pair_list_args *list_args = args;
    struct cooc_list terms = { 0 };
    struct pair_list list;
    int rc;

    (void)n_words;
    cooc_show_stems(a->db, list_args->stems);
    rc = read_terms(a, words[0], true, &terms, err);
    if (rc == 0)
        rc = pair_list_begin(&list, args, a,
                             (uint64_t)terms.n * (terms.n - 1) / 2, err);
    if (rc == 0) {
        rc = cooc_within(a->db, terms.ids, terms.n, pair_list_pair, &list,
                         err);
        rc = pair_list_end(&list, rc, err);
    }
    cooc_list_release(&terms);
    return rc;
}

const struct question question_within = {
    .usage = {
        .name = "within",
        .args = "[options] NAME.cooc LIST.txt",
        .summary = "test every pair of a list's terms, or print their matrix",
        .details = "The list has a term a line; the columns are those of "
                   "'cooc between', and term1 is the one that comes first in "
                   "the list.  --matrix prints a line and a column for each "
                   "term, always tab-separated; a term with itself counts its "
                   "documents.  In a measure the term of the line is x.",
        .examples = "cooc within med.cooc genes.txt --by llr -n 100\n"
                    "cooc within med.cooc genes.txt --matrix > counts.tsv\n"
                    "cooc within med.cooc genes.txt --matrix --by jaccard\n",
        .options = pair_list_options,
        .size = sizeof(struct pair_list_args),
        .defaults = &pair_list_defaults,
        .min = 2, .max = 2,
    },
    .check = pair_list_check,
    .ask = ask,
};
