/* cmd_pairs.c - "cooc pairs": the strongest pairs of all. */
#include <stdio.h>

#include "cli/choice_args.h"
#include "cli/progress.h"
#include "cli/shared.h"

struct pairs_args {
    struct choice_args choice;
    uint32_t threads;
    bool json;
};

static int print_pairs(struct cooc *db, struct pairs_args *a,
                       struct cooc_err *err)
{
    struct cooc_hit *hits = NULL;
    struct cooc_choice choice;
    struct cooc_info info;
    struct progress progress;
    struct out out;
    size_t n;
    int rc;

    out_init(&out, stdout, out_form(a->json));
    rc = cooc_info(db, &info, err);
    if (rc < 0)
        goto out;
    rc = choice_args_choice(&a->choice, db, info.pairs, &choice, err);
    if (rc < 0)
        goto out;
    progress_init(&progress, false);
    choice.watch = progress_watch(&progress);
    choice.threads = a->threads;
    rc = cooc_pairs(db, &choice, &hits, &n, err);
    progress_clear(&progress);
    if (rc < 0)
        goto out;
    rc = print_pair_hits(&out, NULL, db, choice.by.measure, hits, n, err);
out:
    out_release(&out);
    cooc_hits_free(hits);
    return rc;
}

static int run_pairs(int argc, char **argv, struct cooc_err *err)
{
    struct pairs_args a = { .threads = 0 };
    const struct opt opts[] = {
        OPT_TABLE(a.choice.opts),
        OPT_U32('j', "threads", &a.threads, "N", "every core",
                "use N threads"),
        OPT_FLAG(0, "json", &a.json, JSON_LINES),
        OPT_END
    };
    struct cooc *db = NULL;
    int rc;

    choice_args_init(&a.choice, "print at most N pairs; 0: all");
    rc = opt_parse(&argc, &argv, opts, &cmd_pairs, 1, 1, err);
    if (rc)
        return rc;
    rc = cooc_open(&db, argv[0], err);
    if (rc < 0)
        goto out;
    rc = hint_count(print_pairs(db, &a, err), argv[0], err);
out:
    choice_args_release(&a.choice);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_pairs = {
    .name = "pairs", .group = CMD_ASK,
    .args = "[options] NAME.cooc",
    .summary = "list the strongest pairs of the whole store",
    .details = "term1 is the more frequent of the two and x in the measures; "
               "df1 and df2 are the numbers of documents that hold them.",
    .examples = "cooc pairs news.cooc\n"
                "cooc pairs news.cooc --by npmi --min-count 20 -n 100\n"
                "cooc pairs news.cooc --by llr --exclude names.txt\n",
    .run = run_pairs,
};
