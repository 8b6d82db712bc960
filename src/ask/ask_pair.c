/* ask_pair.c - "pair": everything about two terms. */
#include <string.h>

#include "ask/ask.h"
#include "ask/term_args.h"

struct pair_args {
    bool all;
};

static const struct opt options[] = {
    OPT_FLAG(struct pair_args, all, 'a', "all",
             "every measure; see 'cooc measures'"),
    OPT_END
};

static const struct field fields[] = {
    FIELD_TERM(struct cooc_pair, x, "term1"),
    FIELD_TERM(struct cooc_pair, y, "term2"),
    FIELD_COUNT(struct cooc_pair, total, "documents"),
    FIELD_COUNT(struct cooc_pair, fx, "df1"),
    FIELD_COUNT(struct cooc_pair, fy, "df2"),
    FIELD_COUNT(struct cooc_pair, count, "count"),
    FIELD_END
};

/* The few measures that are shown without --all. */
static bool is_usual(const char *measure)
{
    static const char *const usual[] = { "pmi", "npmi", "llr", "dice",
                                         "jaccard" };

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (!strcmp(measure, usual[i]))
            return true;
    return false;
}

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct pair_args *pair = q->args;
    const struct cooc_measure *m;
    uint32_t terms[TERMS_MAX];
    struct cooc_pair p;
    int rc;

    rc = find_terms(a->db, q->n_words, q->words, terms, err);
    if (rc == 0)
        rc = cooc_pair_get(a->db, terms[0], terms[1], &p, err);
    if (rc == 0)
        rc = answer_facts(a, fields, &p, err);
    if (rc < 0)
        return rc;
    answer_square(a, &p);
    for (unsigned i = 1; (m = cooc_measure_get(i)) != NULL; i++)
        if (pair->all || is_usual(m->name))
            answer_real(a, m->name, cooc_score(&p, m), 4);
    return 0;
}

const struct question question_pair = {
    .usage = {
        .name = "pair", .min = 3, .max = 3,
        .args = "[options] NAME.cooc A B",
        .summary = "show how two terms co-occur",
        .details = "df1 and df2 are the numbers of documents that hold A and "
                   "B, count that of the documents that hold both.  pmi is to "
                   "base 2, npmi from -1 to 1, llr the signed log-likelihood "
                   "ratio, dice and jaccard from 0 to 1.",
        .examples = "cooc pair news.cooc coffee tea\n"
                    "cooc pair news.cooc coffee tea --all\n"
                    "cooc pair news.cooc coffee tea --json | jq .npmi\n",
        .options = options, .size = sizeof(struct pair_args),
    },
    .facts = true,
    .stems = true,
    .ask = ask,
};
