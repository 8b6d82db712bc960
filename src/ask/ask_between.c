/* ask_between.c - "between" and "within": all pairs of lists.
 *
 *     term1 term2 a b c d expected   measures   p
 *
 * a is the number of documents that contain both terms, b only the first, c
 * only the second, d neither.  p is the probability that independent terms
 * share a or more documents (Fisher's exact test); it is kept as a logarithm
 * and printed even if it is too small for a double.  Rows are printed as they
 * are computed, or, with --by, kept until the end and ranked.  Each list is a
 * file or the terms that match a pattern.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "ask/measure_list.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/top_k.h"
#include "base/unlisted.h"
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

static const struct opt between_options[] = {
    OPT_TEXT(struct pair_lists_args, like1, 0, "like1", "PATTERN", NULL,
             "test the terms that match PATTERN instead of those of A.txt"),
    OPT_TEXT(struct pair_lists_args, like2, 0, "like2", "PATTERN", NULL,
             "test the terms that match PATTERN instead of those of B.txt"),
    { .kind = OPT_KIND_TABLE, .table = pair_lists_options },
    OPT_END
};

static const struct opt within_options[] = {
    OPT_TEXT(struct pair_lists_args, like1, 0, "like", "PATTERN", NULL,
             "test the terms that match PATTERN instead of those of a file"),
    { .kind = OPT_KIND_TABLE, .table = pair_lists_options },
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

/* Check that there is a file or a pattern for each list. */
static int check_lists(const struct request *q, const struct usage *u,
                       size_t wanted, struct cooc_err *err)
{
    const struct pair_lists_args *args = q->args;
    size_t patterns = (size_t)(args->like1 != NULL) + (args->like2 != NULL);
    size_t given = patterns + q->n_words;

    if (given > wanted && patterns)
        return err_set(err, COOC_EINVAL,
                       "too many arguments; a pattern takes the place of a "
                       "file");
    if (given != wanted)
        return err_set(err, COOC_EINVAL, "too %s arguments; usage: cooc %s "
                       "%.*s", given < wanted ? "few" : "many", u->name,
                       (int)strcspn(u->args, "\n"), u->args);
    return 0;
}

static int check_between(const struct request *q, struct cooc_err *err)
{
    struct pair_list l;
    int rc = check_lists(q, &question_between.usage, 2, err);

    return rc < 0 ? rc : find_measures(&l, q->args, err);
}

static int check_within(const struct request *q, struct cooc_err *err)
{
    struct pair_list l;
    int rc = check_lists(q, &question_within.usage, 1, err);

    return rc < 0 ? rc : find_measures(&l, q->args, err);
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

/* Count the pairs of different terms.  A list has no term twice. */
static int count_pairs(struct cooc *db, const struct cooc_list *x,
                       const struct cooc_list *y, uint64_t *n,
                       struct cooc_err *err)
{
    struct cooc_info info = COOC_INFO;
    uint8_t *in_x = NULL;
    int rc = cooc_info_get(db, &info, err);

    *n = (uint64_t)x->n * y->n;
    if (rc == 0) {
        in_x = mem_zarray((size_t)info.terms + 1, 1);
        rc = in_x ? 0 : err_nomem(err);
    }
    for (size_t i = 0; i < x->n && rc == 0; i++)
        in_x[x->terms[i]] = 1;
    for (size_t i = 0; i < y->n && rc == 0; i++)
        *n -= in_x[y->terms[i]];
    mem_free(in_x);
    return rc;
}

/* If the first list has words that are not phrases, look at the second one as
 * well, so that one run names the entries of both: the first error becomes a
 * note if there is a second one. */
static int read_second(struct answer *a, const char *like, const char *path,
                       struct cooc_list *y, int rc, struct cooc_err *err)
{
    struct cooc_err second = { 0 };

    if (rc < 0 && (!unlisted_is(err) || like))
        return rc;
    if (rc < 0) {
        if (cooc_list_read(a->db, path, y, &second) == 0 ||
            !unlisted_is(&second))
            return rc;
        answer_note("%s", err->text);
        return err_copy(err, &second);
    }
    return list_terms(a->db, like, "like2", path, y, err);
}

/* Answer all pairs of x and y, or, if y is NULL, every pair of x once.  A file
 * fills the first list that has no pattern. */
static int ask_lists(struct answer *a, const struct request *q,
                     struct cooc_list *x, struct cooc_list *y,
                     struct cooc_err *err)
{
    const struct pair_lists_args *args = q->args;
    char *const *file = q->words;
    struct pair_list list;
    uint64_t n = 0;
    int rc = list_terms(a->db, args->like1, y ? "like1" : "like",
                        args->like1 ? NULL : *file++, x, err);

    if (y)
        rc = read_second(a, args->like2, args->like2 ? NULL : *file, y, rc,
                         err);
    if (rc == 0 && y)
        rc = count_pairs(a->db, x, y, &n, err);
    else if (rc == 0)
        n = (uint64_t)x->n * (x->n - 1) / 2;
    if (rc == 0)
        rc = list_begin(&list, args, a, n, err);
    if (rc < 0)
        return rc;
    rc = y ? cooc_between(a->db, x->terms, x->n, y->terms, y->n, list_pair,
                          &list, err)
           : cooc_within(a->db, x->terms, x->n, list_pair, &list, err);
    return list_end(&list, rc, err);
}

static int ask_between(struct answer *a, const struct request *q,
                       struct cooc_err *err)
{
    struct cooc_list x = COOC_LIST, y = COOC_LIST;
    int rc = ask_lists(a, q, &x, &y, err);

    cooc_free(x.terms);
    cooc_free(y.terms);
    return rc;
}

static int ask_within(struct answer *a, const struct request *q,
                      struct cooc_err *err)
{
    struct cooc_list x = COOC_LIST;
    int rc = ask_lists(a, q, &x, NULL, err);

    cooc_free(x.terms);
    return rc;
}

const struct question question_between = {
    .usage = {
        .name = "between", .min = 1, .max = 3,
        .args = "[options] NAME.cooc A.txt B.txt\n"
                "--like1 PATTERN [options] NAME.cooc B.txt\n"
                "--like1 PATTERN --like2 PATTERN [options] NAME.cooc",
        .summary = "test every term of one list against every term of another",
        .details = "Use this for questions such as: which of these genes are "
                   "mentioned with which of these diseases more often than "
                   "by chance? A.txt and B.txt have one term per line. "
                   "--like1 and --like2 take the place of A.txt and B.txt; "
                   "their patterns are those of 'cooc terms --like'. A "
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
                    "odds-ratio\n"
                    "cooc between papers.cooc --like1 'drug:*' diseases.txt "
                    "--min-count 1\n",
        .options = between_options, .size = sizeof(struct pair_lists_args),
        .defaults = &pair_lists_defaults,
    },
    .stems = true,
    .check = check_between,
    .ask = ask_between,
};

const struct question question_within = {
    .usage = {
        .name = "within", .min = 1, .max = 2,
        .args = "[options] NAME.cooc LIST.txt\n"
                "--like PATTERN [options] NAME.cooc",
        .summary = "test every pair of terms in a list, or print their matrix",
        .details = "Use this to see how the terms of one list are related to "
                   "each other. LIST.txt has one term per line; --like takes "
                   "its place, with a pattern of 'cooc terms --like'. Works "
                   "on a store that is only indexed, but is faster on a "
                   "counted one.",
        .output = "The columns of 'cooc between'; term1 comes before term2 "
                  "in the list. --matrix prints one row and one column per "
                  "term, always tab-separated, with counts or with the "
                  "measure that --by names; the diagonal has each term's df. "
                  "In the formulas of 'cooc measures', term1, or the term of "
                  "the row, is x.",
        .examples = "cooc within med.cooc genes.txt --by llr -n 100\n"
                    "cooc within med.cooc genes.txt --matrix > counts.tsv\n"
                    "cooc within med.cooc genes.txt --matrix --by jaccard\n"
                    "cooc within papers.cooc --like 'au:*' --min-count 1\n",
        .options = within_options, .size = sizeof(struct pair_lists_args),
        .defaults = &pair_lists_defaults,
    },
    .stems = true,
    .check = check_within,
    .ask = ask_within,
};
