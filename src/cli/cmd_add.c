/* cmd_add.c - "cooc add": more documents for a store. */
#include "base/err.h"
#include "cli/cmd.h"
#include "cli/index_args.h"
#include "cli/merge_args.h"
#include "cli/report.h"

struct add_job {
    struct cooc_add_options o;
    struct merge_args merge;
    struct run_args run;
};

static const struct opt options[] = {
    OPT_TABLE(struct add_job, o.input, input_options),
    OPT_TEXT(struct add_job, o.input.terms_file, 0, "terms", "FILE", NULL,
             "the list again, if the store was made with one"),
    OPT_MERGE(struct add_job, "as in the store"),
    OPT_RUN(struct add_job, "ignore a full disk"),
    OPT_END
};

static void init(void *args)
{
    struct add_job *job = args;

    cooc_add_options_init(&job->o);
    cooc_merge_options_init(&job->merge.o);
}

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct add_job *job = args;
    struct cooc_index_report indexed = { 0 };
    struct cooc_merge_report merged = { 0 };
    const struct run_facts facts = { .command = "add", .store = argv[0],
                                     .indexed = &indexed,
                                     .merged = &merged };
    struct run_stats stats;
    struct progress progress;
    int rc = refuse_stores(argv + 1, argc - 1, err);

    if (rc == 0)
        rc = refuse_inside(job->run.stats_file, argv + 1, argc - 1, err);
    if (rc == 0)
        rc = check_directory(job->merge.o.count.tmpdir, err);
    if (rc == 0)
        rc = run_stats_init(&stats, job->run.stats_file, err);
    if (rc < 0)
        return rc;
    merge_args_take(&job->merge, &job->run, &progress, &stats);
    job->o.merge = job->merge.o;
    job->o.adjust_rows = job->merge.rows != NULL;
    rc = cooc_add(argv[0], (const char *const *)argv + 1, (size_t)argc - 1,
                  &job->o, &indexed, &merged, err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        err_set(err, rc, "interrupted; %s is as it was", argv[0]);
    rc = run_stats_end(&stats, rc, &facts, err);
    if (rc == 0 && run_reports(&job->run))
        report_merge(&facts, job->run.json);
    return rc;
}

const struct job job_add = {
    .usage = {
        .name = "add",
        .args = "[options] NAME.cooc INPUT...",
        .summary = "add documents to a store",
        .details = "The documents become terms as those of the store did: "
                   "with its options for words, its stop list and its "
                   "thesaurus.  How to read the files is not kept: if "
                   "--format, --text-field, --id-field, --encoding, "
                   "--separators, --vocab or --zero-based were needed, give "
                   "them again.  The store is then the one that all documents "
                   "together would have made, byte for byte, counted if it "
                   "was counted.  It is replaced in one step, when everything "
                   "is done, and takes its size again on the disk until then.  "
                   "Documents cannot be taken out again: keep a copy, or "
                   "index anew.",
        .examples = "cooc add letters.cooc letters/2024/\n"
                    "cooc add news.cooc today.jsonl.gz --text-field "
                    "title,body\n",
        .options = options,
        .size = sizeof(struct add_job),
        .init = init,
        .min = 2, .max = -1,
    },
    .run = run,
};
