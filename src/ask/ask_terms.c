/* ask_terms.c - "terms": list the vocabulary, or a part of it. */
#include "ask/ask.h"
#include "ask/term_args.h"

struct terms_args {
    struct cooc_term_filter filter;
    uint64_t limit;
};

static const struct opt options[] = {
    OPT_TEXT(struct terms_args, filter.prefix, 0, "prefix", "TEXT", NULL,
             "list only terms that begin with TEXT"),
    OPT_TEXT(struct terms_args, filter.like, 0, "like", "PATTERN", NULL,
             "list only terms that match PATTERN"),
    OPT_U64(struct terms_args, filter.min_df, 0, "min-df", "N", "none",
            "omit terms in fewer than N documents"),
    OPT_U64(struct terms_args, filter.max_df, 0, "max-df", "N", "none",
            "omit terms in more than N documents"),
    OPT_U64(struct terms_args, limit, 'n', "limit", "N", "all",
            "print at most N terms"),
    OPT_END
};

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct terms_args *terms = q->args;
    struct cooc_term_filter filter = terms->filter;
    uint32_t *ids = NULL;
    size_t n;
    int rc;

    filter.size = sizeof filter;
    filter.limit = limit_of(terms->limit);
    rc = cooc_terms(a->db, &filter, &ids, &n, err);
    if (rc == 0)
        rc = answer_rows(a, NULL, term_fields, ids, sizeof *ids, n, err);
    cooc_free(ids);
    return rc;
}

const struct question question_terms = {
    .usage = {
        .name = "terms", .min = 1, .max = 1,
        .args = "[options] NAME.cooc",
        .summary = "list the vocabulary, most frequent term first",
        .details = "Use this to see which terms a store has, or to find "
                   "spellings. A prefix or pattern is case-folded like the "
                   "words of the documents, but not stemmed. A pattern must "
                   "match the whole term: * matches any characters, ? one "
                   "character, [a-z] one of a range and [!a-z] one outside "
                   "it. Quote patterns: '*ing'.",
        .output = "One row per term: term, and df, the number of documents "
                  "that contain it.",
        .examples = "cooc terms news.cooc -n 100\n"
                    "cooc terms news.cooc --prefix coff\n"
                    "cooc terms news.cooc --like '*ing' --min-df 10\n",
        .options = options, .size = sizeof(struct terms_args),
    },
    .stems = true,
    .ask = ask,
};
