/* cmd_add.c - "cooc add": more documents for a store. */
#include <stdio.h>

#include "cli/fail.h"
#include "cli/index_args.h"
#include "cli/merge_args.h"
#include "cli/report.h"
#include "cli/run_stats.h"

struct added {
    struct cooc_index_report indexed;
    struct cooc_merge_report merged;
};

/* Add, and the account of it that --stats-json wants. */
static int add(const char *store, char **inputs, int n,
               struct cooc_add_options *o, struct merge_args *m,
               const struct run_args *run, struct added *a,
               struct cooc_err *err)
{
    const struct merge_facts facts = { .command = "add", .store = store,
                                       .indexed = &a->indexed,
                                       .merged = &a->merged };
    struct run_stats stats;
    struct progress progress;
    int end, rc = refuse_stores(inputs, n, err);

    if (rc == 0)
        rc = refuse_inside(run->stats_file, inputs, n, err);
    if (rc == 0)
        rc = check_directory(m->o.count.tmpdir, err);
    if (rc == 0)
        rc = run_stats_init(&stats, run->stats_file, err);
    if (rc < 0)
        return rc;
    merge_args_take(m, run, &progress, &stats);
    o->merge = m->o;
    o->adjust_rows = m->rows != NULL;
    rc = cooc_add(store, (const char *const *)inputs, (size_t)n, o,
                  &a->indexed, &a->merged, err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        fail(err, rc, "interrupted; %s is as it was", store);
    end = run_stats_write(&stats, rc, report_merge_run, &facts,
                          rc < 0 ? NULL : err);
    return rc < 0 ? rc : end;
}

static int run_add(int argc, char **argv, struct cooc_err *err)
{
    struct added a = { 0 };
    struct input_args input;
    struct cooc_add_options o;
    struct merge_args m;
    struct run_args run;
    struct out out;
    int rc;

    cooc_add_options_init(&o);
    input_args_init(&input, &o.input);
    merge_args_init(&m, "as in the store");
    run_args_init(&run, "ignore a full disk");
    const struct opt opts[] = {
        OPT_TABLE(input.opts),
        OPT_TEXT(0, "terms", &o.input.terms_file, "FILE", NULL,
                 "the list again, if the store was made with one"),
        OPT_TABLE(m.opts),
        OPT_TABLE(run.opts),
        OPT_END
    };
    rc = opt_parse(&argc, &argv, opts, &cmd_add, 2, -1, err);
    if (rc)
        return rc;
    rc = add(argv[0], argv + 1, argc - 1, &o, &m, &run, &a, err);
    if (rc < 0 || (run.quiet && !run.json))
        return rc;
    out_init(&out, stdout, out_form(run.json));
    out_open(&out);
    out_text(&out, "store", argv[0]);
    out_text(&out, "input taken for", a.indexed.format);
    out_count(&out, "documents added", a.indexed.documents);
    report_losses(&out, &a.indexed);
    report_merge(&out, &a.merged);
    out_close(&out);
    return 0;
}

const struct cmd cmd_add = {
    .name = "add", .group = CMD_MAKE,
    .args = "[options] NAME.cooc INPUT...",
    .summary = "add documents to a store",
    .details = "The documents become terms as those of the store did: with "
               "its options for words, its stop list and its thesaurus.  "
               "How to read the files is not kept: if --format, "
               "--text-field, --id-field, --encoding, --separators, --vocab "
               "or --zero-based were needed, give them again.  The store is "
               "then the one that all documents together would have made, "
               "byte for byte, counted if it was counted.  It is replaced "
               "in one step, when everything is done, and takes its size "
               "again on the disk until then.  Documents cannot be taken "
               "out again: keep a copy, or index anew.",
    .examples = "cooc add letters.cooc letters/2024/\n"
                "cooc add news.cooc today.jsonl.gz --text-field title,body\n",
    .run = run_add,
};
