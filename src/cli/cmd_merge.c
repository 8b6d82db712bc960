/* cmd_merge.c - "cooc merge": several stores become one. */
#include <stdio.h>

#include "cli/fail.h"
#include "cli/merge_args.h"
#include "cli/run_stats.h"

/* Merge, and the account of it that --stats-json wants. */
static int merge(char **stores, int n, const char *to, struct merge_args *m,
                 const struct run_args *run, struct cooc_merge_report *report,
                 struct cooc_err *err)
{
    const struct merge_facts facts = { .command = "merge", .store = to,
                                       .merged = report };
    struct run_stats stats;
    struct progress progress;
    int end, rc = check_output(to, err);

    if (rc == 0)
        rc = check_directory(m->o.count.tmpdir, err);
    if (rc == 0)
        rc = run_stats_init(&stats, run->stats_file, err);
    if (rc < 0)
        return rc;
    merge_args_take(m, run, &progress, &stats);
    rc = cooc_merge((const char *const *)stores, (size_t)n, to, &m->o, report,
                    err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        fail(err, rc, "interrupted; nothing was stored");
    end = run_stats_write(&stats, rc, report_merge_run, &facts,
                          rc < 0 ? NULL : err);
    return rc < 0 ? rc : end;
}

static int run_merge(int argc, char **argv, struct cooc_err *err)
{
    struct cooc_merge_report report = { 0 };
    const char *store = NULL;
    struct merge_args m;
    struct run_args run;
    struct out out;
    int rc;

    merge_args_init(&m, "as in the stores if all agree, else all");
    run_args_init(&run, "replace a store of that name, ignore a full disk");
    const struct opt opts[] = {
        OPT_TEXT('o', "output", &store, "NAME.cooc", NULL,
                 "the store to make"),
        OPT_TABLE(m.opts),
        OPT_TABLE(run.opts),
        OPT_END
    };
    rc = opt_parse(&argc, &argv, opts, &cmd_merge, 1, -1, err);
    if (rc)
        return rc;
    if (!store)
        return fail(err, COOC_EINVAL, "no new store named; type: cooc merge "
                    "%.150s%s -o NAME.cooc", argv[0], argc > 1 ? " ..." : "");
    rc = merge(argv, argc, store, &m, &run, &report, err);
    if (rc < 0 || (run.quiet && !run.json))
        return rc;
    out_init(&out, stdout, out_form(run.json));
    out_open(&out);
    out_text(&out, "store", store);
    report_merge(&out, &report);
    out_close(&out);
    return 0;
}

const struct cmd cmd_merge = {
    .name = "merge", .group = CMD_MAKE,
    .args = "[options] STORE... -o NAME.cooc",
    .summary = "make one store out of several",
    .details = "The new store is the one that indexing and counting all "
               "documents at once would have made, byte for byte; documents "
               "stand in the order of the stores.  It is counted if any of "
               "the stores is.  Stores must have been made with the same "
               "options and lists for words, and without --min-df, --max-df "
               "and --top-terms, which drop terms that others may need.  Any "
               "number of stores will do.  Documents cannot be taken out of "
               "a store again; keep the old ones.",
    .examples = "cooc merge 2023.cooc 2024.cooc -o both.cooc\n"
                "cooc merge parts/*.cooc -o all.cooc --memory 8G\n"
                "cooc merge a.cooc b.cooc -o c.cooc --pairs-from rows\n",
    .run = run_merge,
};
