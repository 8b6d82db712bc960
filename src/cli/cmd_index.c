/* cmd_index.c - "cooc index": documents into a new store. */
#include <stdio.h>

#include "cli/index_args.h"
#include "cli/report.h"
#include "cli/run_stats.h"

static int run_index(int argc, char **argv, struct cooc_err *err)
{
    struct cooc_index_report report = { 0 };
    const char *store = NULL;
    struct index_args docs;
    struct run_args run;
    struct run_stats stats;
    struct out out;
    int rc, end;

    index_args_init(&docs);
    run_args_init(&run, "replace a store of that name");
    const struct opt opts[] = {
        OPT_TEXT('o', "output", &store, "NAME.cooc", NULL,
                 "the store to make"),
        OPT_TABLE(docs.opts),
        OPT_TABLE(run.opts),
        OPT_END
    };
    rc = opt_parse(&argc, &argv, opts, &cmd_index, 1, -1, err);
    if (rc)
        return rc;
    if (!store)
        return no_store_named("index", argv, argc, err);
    rc = refuse_inside(run.stats_file, argv, argc, err);
    if (rc == 0)
        rc = run_stats_init(&stats, run.stats_file, err);
    if (rc < 0)
        return rc;
    rc = index_run(&docs, &run, argv, argc, store, &stats, &report, err);
    const struct run_facts facts = { .command = "index", .store = store,
                                     .indexed = &report };
    end = run_stats_write(&stats, rc, report_run, &facts,
                          rc < 0 ? NULL : err);
    rc = rc < 0 ? rc : end;
    if (rc < 0 || (run.quiet && !run.json))
        return rc;
    out_init(&out, stdout, out_form(run.json));
    out_open(&out);
    report_index(&out, store, &report);
    out_close(&out);
    return 0;
}

const struct cmd cmd_index = {
    .name = "index", .group = CMD_MAKE,
    .args = "[options] INPUT... -o NAME.cooc",
    .summary = "read documents into a new store",
    .details = "An INPUT is a file, compressed or not, an archive, a "
               "directory, or - for standard input.  The store appears "
               "under its name only when it is complete; 'pair', 'top', "
               "'docs' and 'stats' work at once, 'cooc count' adds the "
               "table of all pairs.",
    .examples = "cooc index letters/ -o letters.cooc\n"
                "cooc index news.jsonl.gz --text-field title,body "
                "--stem english -o news.cooc\n"
                "cooc index baskets.dat --format transactions --min-df 5 "
                "-o baskets.cooc\n",
    .run = run_index,
};
