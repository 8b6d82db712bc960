/* cmd_merge.c - "cooc merge": several stores become one. */
#include "base/err.h"
#include "cli/cmd.h"
#include "cli/merge_args.h"
#include "cli/report.h"

struct merge_job {
    const char *store;
    struct merge_args merge;
    struct run_args run;
};

static const struct opt options[] = {
    OPT_TEXT(struct merge_job, store, 'o', "output", "NAME.cooc", NULL,
             "the store to make"),
    OPT_MERGE(struct merge_job, "as in the stores if all agree, else all"),
    OPT_RUN(struct merge_job,
            "replace a store of that name, ignore a full disk"),
    OPT_END
};

static void init(void *args)
{
    cooc_merge_options_init(&((struct merge_job *)args)->merge.o);
}

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct merge_job *job = args;
    struct cooc_merge_report report = { 0 };
    const struct run_facts facts = { .command = "merge", .store = job->store,
                                     .merged = &report };
    struct run_stats stats;
    struct progress progress;
    int rc;

    if (!job->store)
        return err_set(err, COOC_EINVAL,
                       "no new store named; type: cooc merge %.150s%s -o "
                       "NAME.cooc", argv[0], argc > 1 ? " ..." : "");
    rc = check_output(job->store, err);
    if (rc == 0)
        rc = check_directory(job->merge.o.count.tmpdir, err);
    if (rc == 0)
        rc = run_stats_init(&stats, job->run.stats_file, err);
    if (rc < 0)
        return rc;
    merge_args_take(&job->merge, &job->run, &progress, &stats);
    rc = cooc_merge((const char *const *)argv, (size_t)argc, job->store,
                    &job->merge.o, &report, err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        err_set(err, rc, "interrupted; nothing was stored");
    rc = run_stats_end(&stats, rc, &facts, err);
    if (rc == 0 && run_reports(&job->run))
        report_merge(&facts, job->run.json);
    return rc;
}

const struct job job_merge = {
    .usage = {
        .name = "merge",
        .args = "[options] STORE... -o NAME.cooc",
        .summary = "make one store out of several",
        .details = "The new store is the one that indexing and counting all "
                   "documents at once would have made, byte for byte; "
                   "documents stand in the order of the stores.  It is "
                   "counted if any of the stores is.  Stores must have been "
                   "made with the same options and lists for words, and "
                   "without --min-df, --max-df and --top-terms, which drop "
                   "terms that others may need.  Any number of stores will "
                   "do.  Documents cannot be taken out of a store again; keep "
                   "the old ones.",
        .examples = "cooc merge 2023.cooc 2024.cooc -o both.cooc\n"
                    "cooc merge parts/*.cooc -o all.cooc --memory 8G\n"
                    "cooc merge a.cooc b.cooc -o c.cooc --pairs-from rows\n",
        .options = options,
        .size = sizeof(struct merge_job),
        .init = init,
        .min = 1, .max = -1,
    },
    .run = run,
};
