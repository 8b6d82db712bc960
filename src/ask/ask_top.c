/* ask_top.c - "top": the strongest partners of one or more terms. */
#include <math.h>

#include "ask/ask.h"
#include "ask/rank_args.h"
#include "ask/term_args.h"
#include "cooc_bulk.h"

struct top_args {
    struct rank_args rank;
    bool any;
};

static const struct opt options[] = {
    OPT_TABLE(struct top_args, rank, rank_options),
    OPT_FLAG(struct top_args, rank.o.rarer, 0, "rarer",
             "list only partners rarer than TERM"),
    OPT_FLAG(struct top_args, rank.o.commoner, 0, "commoner",
             "list only partners more frequent than TERM"),
    OPT_FLAG(struct top_args, any, 0, "any",
             "match documents that contain any TERM instead of all"),
    OPT_TITLE("General"),
    OPT_U64(struct top_args, rank.limit, 'n', "limit", "N", NULL,
            "print at most N terms, or all if N is 0"),
    OPT_END
};

static const struct top_args defaults = { .rank = RANK_DEFAULTS };

static const struct field partner_fields[] = {
    FIELD_TERM(struct cooc_hit, pair.y, "term"),
    FIELD_COUNT(struct cooc_hit, pair.count, "count"),
    FIELD_COUNT(struct cooc_hit, pair.fy, "df"),
    FIELD_END
};

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct top_args *top = q->args;
    struct cooc_list exclude = COOC_LIST;
    struct cooc_hit *hits = NULL;
    struct cooc_rank_options ranking;
    uint32_t terms[TERMS_MAX];
    size_t n;
    int rc = rank_args_take(&top->rank, a->db, &ranking, &exclude, err);

    if (rc == 0)
        rc = find_terms(a->db, q->n_words, q->words, terms, err);
    if (rc == 0)
        rc = cooc_top(a->db, terms, q->n_words,
                      top->any ? COOC_MATCH_ANY : COOC_MATCH_ALL, &ranking,
                      &hits, &n, err);
    if (rc == 0)
        rc = answer_hits(a, partner_fields, ranking.scoring.measure, hits, n,
                         err);
    cooc_free(hits);
    cooc_free(exclude.terms);
    return rc;
}

const struct question question_top = {
    .usage = {
        .name = "top", .min = 2, .max = -1,
        .args = "[options] NAME.cooc TERM...",
        .summary = "list the terms that co-occur most strongly with a term",
        .details = "Use this to see what a word goes with. Ranked by count, "
                   "common words come first; --by llr, or --by npmi with "
                   "--min-count, brings up the characteristic partners. With "
                   "several TERMs, lists the terms of the documents that "
                   "contain all of them. TERM is processed like the words of "
                   "the documents (case, stems). Works on a store that is "
                   "only indexed.",
        .output = "One row per partner, with these columns:\n"
                  "- term: the partner, a term that shares documents with "
                  "TERM\n"
                  "- count: number of documents that contain both\n"
                  "- df: number of documents that contain the partner\n"
                  "and the measure, if --by names one. In the formulas of "
                  "'cooc measures', TERM is x and the partner is y.",
        .examples = "cooc top news.cooc coffee\n"
                    "cooc top news.cooc coffee --by npmi --min-count 5 -n "
                    "50\n"
                    "cooc top news.cooc coffee tea --by llr --rarer\n"
                    "cooc top news.cooc coffee tea --any --max-df 1000\n",
        .options = options, .size = sizeof(struct top_args),
        .defaults = &defaults,
    },
    .stems = true,
    .ask = ask,
};
