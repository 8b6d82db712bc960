/* cmd_top.c - "cooc top": the strongest partners of one term. */
#include <stdio.h>

#include "cli/shared.h"

static int print_top(struct cooc *db, const char *word, const char *by,
                     uint64_t min_count, uint64_t limit, bool json,
                     struct cooc_err *err)
{
    struct cooc_hit *hits = NULL;
    struct cooc_info info;
    enum cooc_measure m;
    struct out out;
    uint32_t term;
    size_t n;
    int rc;

    out_init(&out, stdout, out_form(json));
    rc = cooc_measure_find(by, &m, err);
    if (rc < 0)
        goto out;
    rc = cooc_info(db, &info, err);
    if (rc < 0)
        goto out;
    rc = find_term(db, word, &term, err);
    if (rc < 0)
        goto out;
    rc = cooc_top(db, term, m, min_count, list_limit(limit, info.terms),
                  &hits, &n, err);
    if (rc < 0)
        goto out;
    rc = print_hits(&out, NULL, db, &term, m, hits, n, err);
out:
    out_release(&out);
    cooc_hits_free(hits);
    return rc;
}

static int run_top(int argc, char **argv, struct cooc_err *err)
{
    const char *measures[COOC_MEASURES + 1];
    const char *by = cooc_measure_name(COOC_BY_COUNT);
    uint64_t limit = 20, min_count = 1;
    bool json = false;
    const struct opt opts[] = {
        OPT_U64('n', "limit", &limit, "N", NULL,
                "print at most N terms; 0: all"),
        OPT_NAME(0, "by", &by, "MEASURE", NULL, measures, "rank by"),
        OPT_U64(0, "min-count", &min_count, "K", NULL,
                "only partners met in K documents or more"),
        OPT_FLAG(0, "json", &json, JSON_LINES),
        OPT_END
    };
    struct cooc *db = NULL;
    int rc;

    measure_names(measures);
    rc = opt_parse(&argc, &argv, opts, &cmd_top, 2, 2, err);
    if (rc)
        return rc;
    rc = cooc_open(&db, argv[0], err);
    if (rc < 0)
        goto out;
    rc = print_top(db, argv[1], by, min_count, limit, json, err);
    rc = hint_count(rc, argv[0], err);
out:
    cooc_close(db);
    return rc;
}

const struct cmd cmd_top = {
    .name = "top", .group = CMD_ASK,
    .args = "[options] NAME.cooc TERM",
    .summary = "list the terms that co-occur most with TERM",
    .details = "df is the number of documents that hold the partner.  For "
               "rare but telling partners use --by llr, or --by npmi with "
               "a --min-count.",
    .examples = "cooc top news.cooc coffee\n"
                "cooc top news.cooc coffee --by npmi --min-count 5 -n 50\n",
    .run = run_top,
};
