/* cmd_count.c - "cooc count": count all pairs of a store or of documents. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/recognise.h"
#include "cli/cmd.h"
#include "cli/index_args.h"
#include "cli/program.h"
#include "cli/report.h"
#include "cli/show_status.h"
#include "cooc_parts.h"

struct count_args {
    struct cooc_count_options o;
    struct cooc_tuning tuning;
    const char *rows;
    const char *store; /* -o; NULL: the argument is a store */
    struct part_of part;
    bool status;
    struct index_args docs;
    struct job_args how;
};

static const char *const kernels[] = { "avx512", "avx2", "scalar",
                                       NULL };

static const char *method_name(unsigned i)
{
    const struct cooc_method *m = cooc_method_get(i);

    return m ? m->name : NULL;
}

static const struct opt options[] = {
    OPT_TEXT(struct count_args, store, 'o', "output", "NAME.cooc", NULL,
             "index the INPUTs into this new store first"),
    OPT_PART(struct count_args, part, 0, "part",
             "count only part I of N, as one of N processes"),
    OPT_FLAG(struct count_args, status, 0, "status",
             "print what is finished, what is running, what is left"),
    OPT_TABLE(struct count_args, docs, index_options),
    OPT_TITLE("Counting"),
    OPT_ROWS(struct count_args, rows, "as last counted, otherwise compact"),
    OPT_COMPACT_DF(struct count_args, o.compact_df,
                   "omit rows of terms in at most N documents, N <= 255"),
    OPT_NAME_OF(struct count_args, o.method, 0, "method", "METHOD", NULL,
                method_name, "choose the method; all give the same counts"),
    OPT_U64(struct count_args, tuning.batch_postings, 0, "batch-postings", "N",
            "as memory allows", "count in batches of N postings"),
    OPT_TEXT(struct count_args, o.tmpdir, 0, "tmpdir", "DIR",
             "inside the store", "write temporary files to DIR"),
    OPT_TITLE("Tuning, each for one method"),
    OPT_U32(struct count_args, tuning.head_terms, 0, "head-terms", "N",
            "automatic",
            "use bitmaps for the N most frequent terms (bit-scan)"),
    OPT_NAME(struct count_args, tuning.kernel, 0, "kernel", "KERNEL",
             "fastest supported", kernels,
             "choose the instruction set (bit-scan)"),
    OPT_U32(struct count_args, tuning.block_terms, 0, "block-terms", "N",
            "square root of the vocabulary",
            "put N terms into each block (list-blocks)"),
    OPT_U32(struct count_args, tuning.accumulators, 0, "accumulators", "N",
            NULL, "count N terms per scan (multi-scan)"),
    OPT_U64(struct count_args, tuning.flush_pairs, 0, "flush-pairs", "N", NULL,
            "write to disk after N pairs (naive)"),
    OPT_JOB(struct count_args,
            "recount or replace the store, ignoring low disk space"),
    OPT_END
};

static void init(void *args)
{
    struct count_args *job = args;

    cooc_init(&job->o, sizeof job->o);
    cooc_init(&job->tuning, sizeof job->tuning);
    job->tuning.flush_pairs = 100000000; /* the library's default */
    job->tuning.accumulators = 100;
    if (!job->o.method)
        job->o.method = method_name(0);
    index_args_init(&job->docs);
}

/* Whether the argument is a store, or is called like one. */
static bool is_store(const char *path, const struct stat *st)
{
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    return S_ISDIR(st->st_mode) &&
           (recognise_store(path) ||
            (len > 5 && !strncmp(path + len - 5, ".cooc", 5)));
}

/* With -o, the arguments are documents; without -o, the only argument is a
 * store. */
static int check_usage(const struct count_args *job, int argc, char **argv,
                       struct cooc_err *err)
{
    static const char *const but[] = { NULL };
    struct index_args usual;
    struct stat st;

    if (job->how.memory && job->how.memory < COOC_COUNT_MEMORY_MIN)
        return err_set(err, COOC_EINVAL,
                       "--memory must be at least 64M to count");
    if (!job->tuning.flush_pairs || !job->tuning.accumulators)
        return err_set(err, COOC_EINVAL,
                       "--flush-pairs and --accumulators must be greater "
                       "than 0");
    if (job->o.compact_df > COOC_COMPACT_DF_MAX)
        return err_set(err, COOC_EINVAL, "--compact-df must be at most %d",
                       COOC_COMPACT_DF_MAX);
    if (job->part.parts && program.count != cooc_count)
        return err_set(err, COOC_EINVAL, "%s divides the work itself; remove "
                                         "--part", program.name);
    if (job->status && program.count != cooc_count)
        return err_set(err, COOC_EINVAL, "--status needs only one process; "
                                         "run: cooc count NAME.cooc --status");
    if (job->part.parts && job->status)
        return err_set(err, COOC_EINVAL,
                       "--part and --status cannot be combined");
    if (job->store && (job->part.parts || job->status))
        return err_set(err, COOC_EINVAL,
                       "--%s applies to a store; to make one, run: cooc index "
                       "INPUT... -o %s", job->part.parts ? "part" : "status",
                       job->store);
    if (job->store)
        return 0;
    if (argc > 1) {
        int rc = refuse_stores(argv, argc, err);

        if (rc < 0)
            return rc;
    }
    if (argc > 1 || (stat(argv[0], &st) == 0 && !is_store(argv[0], &st)))
        return no_store_named("count", argv, argc, err);
    index_args_init(&usual);
    if (opt_given(index_options, &job->docs, &usual, but))
        return err_set(err, COOC_EINVAL,
                       "options for reading documents do not apply to a "
                       "store; to read documents, add -o NAME.cooc");
    return 0;
}

static void set_options(struct count_args *job)
{
    job->o.rows = rows_kind(job->rows);
    job->o.threads = job->how.threads;
    job->o.memory = job->how.memory;
    job->o.recount = job->how.force && !job->part.parts;
    job->o.ignore_space = job->how.force;
    job->o.tuning = &job->tuning;
}

/* Count one range of the row files and one of the shares of unwritten rows. */
static int count_part(struct count_args *job, const char *store,
                      struct cooc_count_report *report, struct cooc_err *err)
{
    struct cooc_count_report rest = COOC_COUNT_REPORT;
    struct cooc_counter *c = NULL;
    uint64_t part = job->part.part - 1, parts = job->part.parts, first, last;
    char label[60];
    int rc;

    snprintf(label, sizeof label, "part %" PRIu32 "/%" PRIu32, job->part.part,
             job->part.parts);
    job->o.label = label;
    rc = cooc_counter_open(&c, store, &job->o, err);
    if (rc == 0)
        rc = cooc_counter_range(c, true, part, parts, &first, &last, err);
    if (rc == 0)
        rc = cooc_counter_count(c, first, last, report, err);
    if (rc == 0)
        rc = cooc_counter_range(c, false, part, parts, &first, &last, err);
    if (rc == 0)
        rc = cooc_counter_count(c, first, last, &rest, err);
    if (rc == 0) {
        report->increments += rest.increments;
        report->pairs += rest.pairs;
        report->omitted_pairs += rest.omitted_pairs;
        report->seconds += rest.seconds;
        report->batches += rest.batches;
        report->temporary_bytes += rest.temporary_bytes;
    }
    cooc_counter_close(c);
    return rc;
}

/* again: running the same command would continue the count. */
static int count_store(struct count_args *job, const char *store,
                       struct job_stats *stats, bool again,
                       struct cooc_count_report *report,
                       struct cooc_err *err)
{
    struct cooc_watch watch;
    struct progress progress;
    int rc;

    set_options(job);
    watch = job_watch(&job->how, &progress, stats);
    job->o.watch = &watch;
    rc = job->part.parts ? count_part(job, store, report, err)
                         : program.count(store, &job->o, report, err);
    progress_clear(&progress);
    if (rc < 0 && rc != COOC_EEXISTS)
        return describe_failed_count(rc, &progress, report, store,
                               again && rc != COOC_EFORMAT, err);
    return rc;
}

/* What was counted, in a few lines, and what to do next. */
static int report_brief(const struct count_args *job, struct answer *out,
                        const char *store,
                        const struct cooc_index_report *indexed,
                        const struct cooc_count_report *counted,
                        struct cooc_err *err)
{
    int rc;

    answer_count(out, "pairs", counted->pairs);
    answer_real(out, "seconds", indexed->seconds_read +
                indexed->seconds_order + indexed->seconds_write +
                counted->seconds, 2);
    rc = program_report(out, false, err);
    answer_finish(out);
    if (rc == 0 && !job->part.parts)
        suggest_query(store, true);
    return rc;
}

/* Index the documents, if there are any, then count.  The index is reported
 * even if counting fails. */
static int work(struct count_args *job, int argc, char **argv,
                struct job_stats *stats, struct cooc_index_report *indexed,
                struct cooc_count_report *counted, struct cooc_err *err)
{
    const char *name = job->store ? job->store : argv[0];
    struct cooc_info info;
    struct answer out;
    int rc = check_usage(job, argc, argv, err);

    if (rc < 0)
        return rc;
    answer_init(&out, stdout, out_form(job->how.json));
    if (job->store) {
        job->docs.o.count_follows = true;
        rc = index_documents(&job->docs, &job->how, argv, argc, job->store,
                             stats, indexed, err);
        if (rc < 0)
            return rc;
        job->o.written = indexed->written;
        if (indexed->resumed && !job->how.quiet && !job->how.progress_json &&
            !program_silent())
            fprintf(stderr, "cooc: continuing the count of %s\n", name);
        if (!indexed->resumed && job_reports(&job->how)) {
            (job_brief(&job->how, &out) ? report_index_brief : report_index)(
                &out, name, indexed);
            fflush(stdout);
        }
    }
    rc = count_store(job, name, stats, !job->store || indexed->resumable,
                     counted, err);
    if (rc == 0)
        rc = store_info(name, &info, err);
    if (rc == 0 && job_reports(&job->how) && job_brief(&job->how, &out))
        return report_brief(job, &out, name, indexed, counted, err);
    if (rc == 0 && job_reports(&job->how))
        report_count(&out, counted, info.documents);
    if (rc == 0 && job_reports(&job->how))
        rc = program_report(&out, false, err);
    answer_finish(&out);
    return rc;
}

static int status(struct count_args *job, int argc, char **argv,
                  struct cooc_err *err)
{
    int rc = check_usage(job, argc, argv, err);

    if (rc < 0)
        return rc;
    set_options(job);
    job->o.recount = false;
    return show_status(argv[0], &job->o, job->how.json, err);
}

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct count_args *job = args;
    struct cooc_index_report indexed = COOC_INDEX_REPORT;
    struct cooc_count_report counted = COOC_COUNT_REPORT;
    struct cooc_estimate estimate = COOC_ESTIMATE;
    struct job_facts facts = {
        .command = "count", .store = job->store ? job->store : argv[0],
        .counted = &counted,
    };
    struct job_stats stats;
    int rc = 0;

    counted.estimate = &estimate;
    if (job->status)
        return status(job, argc, argv, err);
    if (job->store)
        rc = refuse_output("--stats-json", job->how.stats_file, &job->docs.o,
                           argv, argc, err);
    if (rc == 0)
        rc = check_directory(job->o.tmpdir, err);
    if (rc == 0)
        rc = job_stats_init(&stats, job->how.stats_file, err);
    if (rc < 0)
        return rc;
    rc = work(job, argc, argv, &stats, &indexed, &counted, err);
    if (job->store && !indexed.resumed)
        facts.indexed = &indexed;
    return job_stats_end(&stats, rc, &facts, err);
}

const struct job job_count = {
    .usage = {
        .name = "count", .min = 1, .max = -1,
        .args = "[options] NAME.cooc\n"
                "[options] INPUT... -o NAME.cooc",
        .summary = "count all pairs of terms, in a store or in documents",
        .details = "Counts the pairs of a store that 'cooc index' has made. "
                   "With -o, indexes the INPUTs first; the options under "
                   "Documents, Words and Terms apply only then. An INPUT is "
                   "a file (compressed or not), an archive, a directory, or "
                   "- for standard input.\n\n"
                   "The counts do not depend on the method, the threads or "
                   "the memory limit. A row is a term's list of partners and "
                   "counts. By default, the rows of rare terms are counted, "
                   "but not stored; queries recount them in microseconds, "
                   "with the same results. Use --rows full to store them. If "
                   "counting is interrupted, finished row files are kept and "
                   "a message says how to continue.\n\n"
                   "Several processes, on one or more machines, can share "
                   "the work: run --part 1/N, --part 2/N and so on, in any "
                   "order or at once. --status shows what is left. "
                   "Then 'cooc count NAME.cooc' counts what is missing and "
                   "finishes the store. With --part, --force only ignores low "
                   "disk space; to discard parts and start over, use --force "
                   "without --part.",
        .output = "A report with the method, the speed, the size of the "
                  "pairs on disk, and\n"
                  "- increments: sum of the counts of all pairs\n"
                  "- pairs: number of pairs that share at least one "
                  "document\n"
                  "An estimate of the pairs and their size is printed before "
                  "counting starts. To see the counts, use 'cooc top', 'cooc "
                  "pairs' or 'cooc export'.",
        .examples = "cooc count letters/ -o letters.cooc\n"
                    "cooc count news.jsonl.gz --text-field title,body --stem "
                    "english -o news.cooc\n"
                    "cooc count letters.cooc --force --rows full\n"
                    "cooc count letters.cooc --part 3/16\n",
        .options = options, .size = sizeof(struct count_args),
        .init = init,
    },
    .run = run,
};
