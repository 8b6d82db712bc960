/* ask_pair.c - "pair": everything about two terms. */
#include <string.h>

#include "ask/ask.h"
#include "ask/term_args.h"

struct pair_args {
    bool all;
};

static const struct opt options[] = {
    OPT_FLAG(struct pair_args, all, 'a', "all",
             "print all measures; see 'cooc measures'"),
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

/* Whether a measure is printed without --all. */
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
        .summary = "print counts and association measures of two terms",
        .details = "Use this to see how strongly two words are related. A "
                   "and B are processed like the words of the documents "
                   "(case, stems). Works on a store that is only indexed.",
        .output = "- documents: number of documents in the store\n"
                  "- df1, df2: number of documents that contain A, and that "
                  "contain B\n"
                  "- count: number of documents that contain both\n"
                  "- only1, only2, neither: the other cells of the 2x2 "
                  "table\n"
                  "- pmi: 0 if the terms are independent, positive if they "
                  "attract each other\n"
                  "- npmi: pmi scaled to the range from -1 to 1\n"
                  "- llr: log-likelihood ratio, negative if the terms avoid "
                  "each other\n"
                  "- dice, jaccard: overlap of the two sets of documents, "
                  "from 0 to 1",
        .examples = "cooc pair news.cooc coffee tea\n"
                    "cooc pair news.cooc coffee tea --all\n"
                    "cooc pair news.cooc coffee tea --json | jq .npmi\n",
        .options = options, .size = sizeof(struct pair_args),
    },
    .facts = true,
    .stems = true,
    .ask = ask,
};
