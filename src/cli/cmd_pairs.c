/* cmd_pairs.c - "cooc pairs": the strongest pairs of all. */
#include <stdio.h>

#include "cli/progress.h"
#include "cli/shared.h"

struct pairs_args {
    const char *by;
    uint64_t limit, min_count;
    uint32_t threads;
    bool json;
};

static int print_pairs(struct cooc *db, const struct pairs_args *a,
                       struct cooc_err *err)
{
    struct cooc_hit *hits = NULL;
    struct cooc_info info;
    struct progress progress;
    struct cooc_watch watch;
    enum cooc_measure m;
    struct out out;
    size_t n;
    int rc;

    out_init(&out, stdout, out_form(a->json));
    rc = cooc_measure_find(a->by, &m, err);
    if (rc < 0)
        goto out;
    rc = cooc_info(db, &info, err);
    if (rc < 0)
        goto out;
    progress_init(&progress, false);
    watch = progress_watch(&progress);
    rc = cooc_pairs(db, m, a->min_count, list_limit(a->limit, info.pairs),
                    a->threads, &watch, &hits, &n, err);
    progress_clear(&progress);
    if (rc < 0)
        goto out;
    rc = print_hits(&out, NULL, db, NULL, m, hits, n, err);
out:
    out_release(&out);
    cooc_hits_free(hits);
    return rc;
}

static int run_pairs(int argc, char **argv, struct cooc_err *err)
{
    const char *measures[COOC_MEASURES + 1];
    struct pairs_args a = { .by = cooc_measure_name(COOC_BY_COUNT),
                            .limit = 20, .min_count = 1 };
    const struct opt opts[] = {
        OPT_U64('n', "limit", &a.limit, "N", NULL,
                "print at most N pairs; 0: all"),
        OPT_NAME(0, "by", &a.by, "MEASURE", NULL, measures, "rank by"),
        OPT_U64(0, "min-count", &a.min_count, "K", NULL,
                "only pairs that meet in K documents or more"),
        OPT_U32('j', "threads", &a.threads, "N", "every core",
                "use N threads"),
        OPT_FLAG(0, "json", &a.json, JSON_LINES),
        OPT_END
    };
    struct cooc *db = NULL;
    int rc;

    measure_names(measures);
    rc = opt_parse(&argc, &argv, opts, &cmd_pairs, 1, 1, err);
    if (rc)
        return rc;
    rc = cooc_open(&db, argv[0], err);
    if (rc < 0)
        goto out;
    rc = hint_count(print_pairs(db, &a, err), argv[0], err);
out:
    cooc_close(db);
    return rc;
}

const struct cmd cmd_pairs = {
    .name = "pairs", .group = CMD_ASK,
    .args = "[options] NAME.cooc",
    .summary = "list the strongest pairs of the whole store",
    .details = "term1 is the more frequent of the two; df1 and df2 are the "
               "numbers of documents that hold them.",
    .examples = "cooc pairs news.cooc\n"
                "cooc pairs news.cooc --by npmi --min-count 20 -n 100\n",
    .run = run_pairs,
};
