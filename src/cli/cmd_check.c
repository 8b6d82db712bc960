/* cmd_check.c - "cooc check": verify a store. */
#include "ask/term_args.h"
#include "cli/cmd.h"
#include "cli/progress.h"
#include "cooc_build.h"

struct check_args {
    uint32_t threads;
    bool quiet, json;
};

static const struct opt options[] = {
    OPT_THREADS(struct check_args, threads, "use N threads"),
    OPT_FLAG(struct check_args, quiet, 'q', "quiet",
             "suppress progress and the report"),
    OPT_FLAG(struct check_args, json, 0, "json", "print one JSON object"),
    OPT_END
};

static const struct field fields[] = {
    FIELD_COUNT(struct cooc_check_report, files, "files verified"),
    FIELD_COUNT(struct cooc_check_report, bytes, "bytes verified"),
    FIELD_COUNT(struct cooc_check_report, rows, "rows verified"),
    FIELD_COUNT(struct cooc_check_report, pairs, "pairs verified"),
    FIELD_COUNT(struct cooc_check_report, increments, "increments verified"),
    FIELD_END
};

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    const struct check_args *job = args;
    struct cooc_check_report r = COOC_CHECK_REPORT;
    struct progress progress;
    struct cooc_watch watch;
    struct answer out;
    int rc;

    (void)argc;
    watch = progress_start(&progress, job->quiet);
    rc = cooc_check(argv[0], job->threads, &watch, &r, err);
    rc = progress_answered(&progress, rc, err);
    if (rc < 0 || (job->quiet && !job->json))
        return rc;
    answer_init(&out, stdout, out_form(job->json));
    answer_text(&out, "verdict", "good");
    answer_facts(&out, fields, &r, NULL);
    answer_finish(&out);
    return 0;
}

const struct job job_check = {
    .usage = {
        .name = "check", .min = 1, .max = 1,
        .args = "[options] NAME.cooc",
        .summary = "verify all checksums, ordering and sums of a store",
        .details = "Use this after copying a store, or if you suspect the "
                   "disk. It reads the whole store.",
        .output = "The verdict 'good' and the numbers of files, bytes, rows "
                  "and pairs verified. If the store is damaged, the first "
                  "problem is reported on standard error and the exit status "
                  "is 1.",
        .examples = "cooc check news.cooc\n"
                    "cooc check --quiet news.cooc && echo good\n",
        .options = options, .size = sizeof(struct check_args),
    },
    .run = run,
};
