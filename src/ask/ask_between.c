/* ask_between.c - "between" and "within": all pairs of lists.
 *
 *     term1 term2 a b c d expected   measures   p
 *
 * a is the number of documents that contain both terms, b only the first, c
 * only the second, d neither.  p is the probability that independent terms
 * share a or more documents (Fisher's exact test); it is kept as a logarithm
 * and printed even if it is too small for a double.  Rows are printed as they
 * are computed, or, with --by, kept until the end and ranked.
 */
#include <math.h>
#include <stdlib.h>

#include "ask/ask.h"
#include "ask/measure_list.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/top_k.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "cooc_bulk.h"

enum { WATCH_EVERY = 4096, ENOUGH = 1 };

const struct opt pair_lists_options[] = {
    OPT_TEXT(struct pair_lists_args, measures, 0, "measures", "LIST", NULL,
             MEASURES_HELP),
    OPT_TEXT(struct pair_lists_args, by, 0, "by", "MEASURE",
             "list order", "sort by this measure, strongest first"),
    OPT_U64(struct pair_lists_args, min_count, 0, "min-count", "K", NULL,
            "omit pairs in fewer than K documents"),
    OPT_FLAG(struct pair_lists_args, adjust, 0, "adjust",
             "add a column with the Bonferroni-adjusted p"),
    OPT_U64(struct pair_lists_args, limit, 'n', "limit", "N", "all",
            "print at most N pairs"),
    OPT_END
};

const struct pair_lists_args pair_lists_defaults = {
    .measures = "pmi,npmi,llr,fisher"
};

struct tested_pair {
    struct cooc_pair pair;
    uint64_t b, c, d;
    double expected, p, adjusted; /* p and adjusted: log10 */
    double scores[MEASURES_MAX];
};

static const struct field cell_fields[] = {
    FIELD_TERM(struct tested_pair, pair.x, "term1"),
    FIELD_TERM(struct tested_pair, pair.y, "term2"),
    FIELD_COUNT(struct tested_pair, pair.count, "a"),
    FIELD_COUNT(struct tested_pair, b, "b"),
    FIELD_COUNT(struct tested_pair, c, "c"),
    FIELD_COUNT(struct tested_pair, d, "d"),
    FIELD_REAL(struct tested_pair, expected, "expected", 2),
    FIELD_END
};
static const struct field p_fields[] = {
    FIELD_POWER(struct tested_pair, p, "p"), FIELD_END
};
static const struct field adjusted_fields[] = {
    FIELD_POWER(struct tested_pair, adjusted, "p adjusted"), FIELD_END
};

/* ---- ranking ------------------------------------------------------------ */

struct ranked_pair {
    struct cooc_pair pair;
    double strength;
    uint64_t number; /* order of pairs with equal strength */
};

static int strongest_first(const void *a, const void *b)
{
    const struct ranked_pair *x = a, *y = b;

    if (x->strength != y->strength)
        return x->strength > y->strength ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* ---- the list ----------------------------------------------------------- */

struct pair_list {
    struct answer *answer;
    const struct pair_lists_args *args;
    const struct cooc_measure *fisher;
    struct measure_list measures;
    struct field fields[FIELDS_MAX];
    const struct cooc_measure *by;
    struct top_k ranked;
    struct cooc_watch hooks;
    struct watch watch;
    uint64_t done, total, shown;
};

/* Look up the measures of --measures and --by. */
static int find_measures(struct pair_list *l,
                         const struct pair_lists_args *args,
                         struct cooc_err *err)
{
    int rc = measure_list_parse(&l->measures, args->measures, err);

    if (rc == 0 && args->by)
        rc = find_measure("by", args->by, &l->by, err);
    if (rc == 0 && args->by && l->by != cooc_measure_get(0))
        rc = measure_list_add(&l->measures, l->by, err);
    return rc == 0 ? cooc_measure_find("fisher", &l->fisher, err) : rc;
}

static int list_check(const void *args, struct cooc_err *err)
{
    struct pair_list l;

    return find_measures(&l, args, err);
}

/* Begin the answer to a query of total pairs. */
static int list_begin(struct pair_list *l, const struct pair_lists_args *args,
                      struct answer *a, uint64_t total, struct cooc_err *err)
{
    int rc;

    *l = (struct pair_list){
        .answer = a, .args = args, .total = total,
        .ranked = { .size = sizeof(struct ranked_pair),
                    .compare = strongest_first,
                    .limit = limit_of(args->limit) },
    };
    rc = find_measures(l, args, err);
    if (rc < 0)
        return rc;
    fields_add(l->fields, cell_fields);
    measure_list_fields(&l->measures, offsetof(struct tested_pair, scores),
                        l->fields);
    fields_add(l->fields, p_fields);
    if (args->adjust && total)
        fields_add(l->fields, adjusted_fields);
    l->hooks = a->start(a, !args->by);
    watch_init(&l->watch, &l->hooks, NULL); /* cannot fail: size is valid */
    watch_phase(&l->watch, "pairing", "pairs", total);
    if (!args->by)
        answer_list(a, NULL, l->fields);
    return 0;
}

static int answer_pair(struct pair_list *l, const struct cooc_pair *p,
                       struct cooc_err *err)
{
    double minus_log = cooc_score(p, l->fisher);
    struct tested_pair t = {
        .pair = *p, .b = p->fx - p->count, .c = p->fy - p->count,
        .expected = (double)p->fx * (double)p->fy / (double)p->total,
        .p = -minus_log,
        .adjusted = fmin(0, log10((double)l->total) - minus_log),
    };

    t.d = p->total - p->fx - t.c;
    for (size_t i = 0; i < l->measures.n; i++)
        t.scores[i] = l->measures.m[i] == l->fisher
                          ? minus_log
                          : cooc_score(p, l->measures.m[i]);
    return answer_row(l->answer, &t, err);
}

static int rank_pair(struct pair_list *l, const struct cooc_pair *p,
                     struct cooc_err *err)
{
    double score = cooc_score(p, l->by);
    const struct ranked_pair r = { *p, l->by->lower ? -score : score, l->done };

    if (top_k_add(&l->ranked, &r, NULL) < 0)
        return err_set(err, COOC_ENOMEM,
                       "out of memory after %zu pairs; use -n to keep only "
                       "the strongest", l->ranked.n);
    return 0;
}

static int list_pair(void *self, const struct cooc_pair *pair,
                     struct cooc_err *err)
{
    struct pair_list *l = self;
    int rc = 0;

    if (++l->done % WATCH_EVERY == 0)
        rc = watch_add(&l->watch, WATCH_EVERY, 0, WATCH_EVERY, err);
    if (rc < 0 || pair->count < l->args->min_count)
        return rc;
    if (l->args->by)
        return rank_pair(l, pair, err);
    rc = answer_pair(l, pair, err);
    if (rc == 0 && l->args->limit && ++l->shown == l->args->limit)
        return ENOUGH;
    return rc;
}

static int list_end(struct pair_list *l, int rc, struct cooc_err *err)
{
    const struct ranked_pair *ranked = l->ranked.items;

    watch_release(&l->watch);
    rc = l->answer->finish(l->answer, rc, err);
    if (rc >= 0) {
        rc = 0;
        if (l->args->by)
            answer_list(l->answer, NULL, l->fields);
        top_k_sort(&l->ranked);
        for (size_t i = 0; i < l->ranked.n && rc == 0; i++)
            rc = answer_pair(l, &ranked[i].pair, err);
    }
    mem_free(l->ranked.items);
    return rc < 0 ? rc : answer_list_end(l->answer, err);
}

/* ---- the questions ------------------------------------------------------ */

/* The number of pairs of different terms. */
static uint64_t count_pairs(const struct cooc_list *x,
                            const struct cooc_list *y)
{
    uint64_t same = 0;

    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            same += x->terms[i] == y->terms[j];
    return (uint64_t)x->n * y->n - same;
}

/* Answer all pairs of x and y, or, if y is NULL, every pair of x once. */
static int ask_lists(struct answer *a, const struct request *q,
                     struct cooc_list *x, struct cooc_list *y,
                     struct cooc_err *err)
{
    struct pair_list list;
    int rc = read_terms(a->db, q->words[0], true, x, err);

    if (rc == 0 && y)
        rc = read_terms(a->db, q->words[1], true, y, err);
    if (rc == 0)
        rc = list_begin(&list, q->args, a,
                        y ? count_pairs(x, y)
                          : (uint64_t)x->n * (x->n - 1) / 2, err);
    if (rc < 0)
        return rc;
    rc = y ? cooc_between(a->db, x->terms, x->n, y->terms, y->n, list_pair,
                          &list, err)
           : cooc_within(a->db, x->terms, x->n, list_pair, &list, err);
    return list_end(&list, rc, err);
}

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    struct cooc_list x = COOC_LIST, y = COOC_LIST;
    int rc = ask_lists(a, q, &x, q->n_words > 1 ? &y : NULL, err);

    cooc_free(x.terms);
    cooc_free(y.terms);
    return rc;
}

const struct question question_between = {
    .usage = {
        .name = "between", .min = 3, .max = 3,
        .args = "[options] NAME.cooc A.txt B.txt",
        .summary = "test every term of one list against every term of another",
        .details = "Use this for questions such as: which of these genes are "
                   "mentioned with which of these diseases more often than "
                   "by chance? A.txt and B.txt have one term per line. A "
                   "term is not tested against itself. Pairs that share no "
                   "document are included; --min-count 1 omits them. Works "
                   "on a store that is only indexed, but is faster on a "
                   "counted one.",
        .output = "One row per pair, with these columns:\n"
                  "- term1, term2: the term of A.txt and the term of B.txt\n"
                  "- a: number of documents that contain both terms\n"
                  "- b, c, d: numbers of documents with only term1, only "
                  "term2, and neither\n"
                  "- expected: the expected value of a if the terms were "
                  "independent\n"
                  "- p: probability that independent terms share a or more "
                  "documents (Fisher's exact test, one-sided)\n"
                  "- p_adjusted: with --adjust, p times the number of pairs, "
                  "at most 1\n"
                  "and the measures; fisher is -log10 of p. In the formulas "
                  "of 'cooc measures', term1 is x and term2 is y.",
        .examples = "cooc between med.cooc genes.txt diseases.txt > "
                    "table.tsv\n"
                    "cooc between med.cooc genes.txt diseases.txt --by "
                    "fisher -n 50 --adjust\n"
                    "cooc between med.cooc genes.txt diseases.txt --measures "
                    "odds-ratio\n",
        .options = pair_lists_options, .size = sizeof(struct pair_lists_args),
        .defaults = &pair_lists_defaults,
    },
    .stems = true,
    .check = list_check,
    .ask = ask,
};

const struct question question_within = {
    .usage = {
        .name = "within", .min = 2, .max = 2,
        .args = "[options] NAME.cooc LIST.txt",
        .summary = "test every pair of terms in a list, or print their matrix",
        .details = "Use this to see how the terms of one list are related to "
                   "each other. LIST.txt has one term per line. Works on a "
                   "store that is only indexed, but is faster on a counted "
                   "one.",
        .output = "The columns of 'cooc between'; term1 comes before term2 "
                  "in the list. --matrix prints one row and one column per "
                  "term, always tab-separated, with counts or with the "
                  "measure that --by names; the diagonal has each term's df. "
                  "In the formulas of 'cooc measures', term1, or the term of "
                  "the row, is x.",
        .examples = "cooc within med.cooc genes.txt --by llr -n 100\n"
                    "cooc within med.cooc genes.txt --matrix > counts.tsv\n"
                    "cooc within med.cooc genes.txt --matrix --by jaccard\n",
        .options = pair_lists_options, .size = sizeof(struct pair_lists_args),
        .defaults = &pair_lists_defaults,
    },
    .stems = true,
    .check = list_check,
    .ask = ask,
};
