/* cmd_top.c - "cooc top": the strongest partners of a term, or of several. */
#include <stdio.h>

#include "cli/choice_args.h"
#include "cli/shared.h"

struct top_args {
    struct choice_args choice;
    bool any, rarer, commoner, json, stems;
};

static int print_top(struct cooc *db, int n_words, char **words,
                     struct top_args *a, struct cooc_err *err)
{
    struct cooc_hit *hits = NULL;
    struct cooc_choice choice;
    struct cooc_info info;
    struct out out;
    uint32_t terms[TERMS_MAX];
    size_t n;
    int rc;

    out_init(&out, stdout, out_form(a->json));
    rc = cooc_info(db, &info, err);
    if (rc < 0)
        goto out;
    rc = choice_args_choice(&a->choice, db, info.terms, &choice, err);
    if (rc < 0)
        goto out;
    choice.rarer = a->rarer;
    choice.commoner = a->commoner;
    rc = find_terms(db, n_words, words, terms, err);
    if (rc < 0)
        goto out;
    rc = cooc_top(db, terms, (size_t)n_words,
                  a->any ? COOC_ANY_OF : COOC_ALL_OF, &choice, &hits, &n,
                  err);
    if (rc < 0)
        goto out;
    rc = print_partners(&out, db, choice.by.measure, hits, n, err);
out:
    out_release(&out);
    cooc_hits_free(hits);
    return rc;
}

static int run_top(int argc, char **argv, struct cooc_err *err)
{
    struct top_args a = { .any = false };
    const struct opt opts[] = {
        OPT_TABLE(a.choice.opts),
        OPT_FLAG(0, "any", &a.any,
                 "of several terms: what goes with any of them"),
        OPT_FLAG(0, "rarer", &a.rarer, "only partners rarer than TERM"),
        OPT_FLAG(0, "commoner", &a.commoner,
                 "only partners more frequent than TERM"),
        OPT_STEMS(&a.stems),
        OPT_FLAG(0, "json", &a.json, JSON_LINES),
        OPT_END
    };
    struct cooc *db = NULL;
    int rc;

    choice_args_init(&a.choice, "print at most N terms; 0: all");
    rc = opt_parse(&argc, &argv, opts, &cmd_top, 2, -1, err);
    if (rc)
        return rc;
    rc = open_store(&db, argv[0], a.stems, err);
    if (rc < 0)
        goto out;
    rc = print_top(db, argc - 1, argv + 1, &a, err);
out:
    choice_args_release(&a.choice);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_top = {
    .name = "top", .group = CMD_ASK,
    .args = "[options] NAME.cooc TERM...",
    .summary = "list the terms that co-occur most with TERM",
    .details = "df is the number of documents that hold the partner.  For "
               "rare but telling partners use --by llr, or --by npmi with "
               "a --min-count.  Of several terms: what stands in the "
               "documents that hold all of them, or with --any in those that "
               "hold at least one.  In a measure, TERM is x and its partner "
               "is y.",
    .examples = "cooc top news.cooc coffee\n"
                "cooc top news.cooc coffee --by npmi --min-count 5 -n 50\n"
                "cooc top news.cooc coffee tea --by llr --rarer\n"
                "cooc top news.cooc coffee tea --any --max-df 1000\n",
    .run = run_top,
};
