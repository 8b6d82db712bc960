/* cmd_count.c - "cooc count": all pairs of a store, or of documents. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fail.h"
#include "cli/forecast.h"
#include "cli/index_args.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/run_stats.h"

/* With -o the arguments are documents; without, there is one: a store. */
static int check_usage(int argc, char **argv, const char *store,
                       const struct index_args *docs,
                       const struct cooc_count_options *o,
                       const struct run_args *run, struct cooc_err *err)
{
    struct stat st;

    if (run->memory && run->memory < COOC_COUNT_MEMORY_MIN)
        return fail(err, COOC_EINVAL,
                    "memory: at least 64M is needed to count");
    if (o->costly_df > COOC_COSTLY_DF_MAX)
        return fail(err, COOC_EINVAL, "--costly-df: at most %d",
                    COOC_COSTLY_DF_MAX);
    if (store)
        return 0;
    if (argc > 1) {
        int rc = refuse_stores(argv, argc, err);

        if (rc < 0)
            return rc;
    }
    if (argc > 1 || (stat(argv[0], &st) == 0 && !S_ISDIR(st.st_mode)))
        return no_store_named("count", argv, argc, err);
    if (index_args_given(docs))
        return fail(err, COOC_EINVAL,
                    "options for documents do not apply to a store; to "
                    "read documents add -o NAME.cooc");
    return 0;
}

/* again: the same command would go on with the count. */
static int count_store(const char *store, struct cooc_count_options *o,
                       const struct run_args *run, struct run_stats *stats,
                       bool again, struct cooc_count_report *report,
                       struct cooc_err *err)
{
    struct progress progress;
    int rc;

    o->threads = run->threads;
    o->memory = run->memory;
    o->recount = o->ignore_space = run->force;
    progress_init(&progress, run->quiet);
    progress.json = run->progress_json;
    progress.stats = stats;
    o->watch = progress_watch(&progress);
    o->watch.estimate = forecast_say;
    rc = cooc_count(store, o, report, err);
    progress_clear(&progress);
    if (rc == COOC_EEXISTS)
        return fail(err, rc, "%s is counted already; add --force to count "
                    "again", store);
    if (rc < 0)
        return forecast_failed(rc, &progress, report, store,
                               again && rc != COOC_EFORMAT, err);
    return 0;
}

/* How many documents a store holds, for the report's rates. */
static int count_documents(const char *store, uint64_t *n,
                           struct cooc_err *err)
{
    struct cooc_info info = { 0 };
    struct cooc *db = NULL;
    int rc = cooc_open(&db, store, err);

    if (rc == 0)
        rc = cooc_info(db, &info, err);
    cooc_close(db);
    *n = info.documents;
    return rc;
}

/* Index first if there are documents, then count; report what was done,
 * even if counting fails after indexing. */
static int work(int argc, char **argv, const char *store,
                struct index_args *docs, struct cooc_count_options *o,
                const struct run_args *run, struct run_stats *stats,
                struct cooc_index_report *indexed,
                struct cooc_count_report *counted, struct cooc_err *err)
{
    bool say = !run->quiet || run->json;
    const char *name = store ? store : argv[0];
    uint64_t documents;
    struct out out;
    int rc = check_usage(argc, argv, store, docs, o, run, err);

    if (rc < 0)
        return rc;
    out_init(&out, stdout, out_form(run->json));
    if (store) {
        docs->o.then_count = true;
        rc = index_run(docs, run, argv, argc, store, stats, indexed, err);
        if (rc < 0)
            return rc;
        if (indexed->resumed && !run->quiet && !run->progress_json)
            fprintf(stderr, "cooc: going on with the count of %s\n", store);
        if (say && !indexed->resumed) {
            out_open(&out);
            report_index(&out, store, indexed);
            fflush(stdout);
        }
    }
    rc = count_store(name, o, run, stats, !store || indexed->resumable,
                     counted, err);
    if (rc == 0)
        rc = count_documents(name, &documents, err);
    if (rc == 0 && say) {
        if (!out.open)
            out_open(&out);
        report_count(&out, counted, documents);
    }
    if (out.open)
        out_close(&out);
    return rc;
}

/* The work, and the account of it that --stats-json wants. */
static int work_and_tell(int argc, char **argv, const char *store,
                         struct index_args *docs,
                         struct cooc_count_options *o,
                         const struct run_args *run, struct cooc_err *err)
{
    struct cooc_index_report indexed = { 0 };
    struct cooc_count_report counted = { 0 };
    struct run_facts facts = {
        .command = "count", .store = store ? store : argv[0],
        .counted = &counted,
    };
    struct run_stats stats;
    int rc, end;

    rc = store ? refuse_inside(run->stats_file, argv, argc, err) : 0;
    if (rc == 0)
        rc = check_directory(o->tmpdir, err);
    if (rc == 0)
        rc = run_stats_init(&stats, run->stats_file, err);
    if (rc < 0)
        return rc;
    rc = work(argc, argv, store, docs, o, run, &stats, &indexed, &counted,
              err);
    facts.indexed = store && !indexed.resumed ? &indexed : NULL;
    end = run_stats_write(&stats, rc, report_run, &facts,
                          rc < 0 ? NULL : err);
    return rc < 0 ? rc : end;
}

static const char *const kernels[] = { "avx2", "scalar", NULL };
static const char *const rows_kinds[] = { "all", "costly", NULL };

/* The options that tell which rows to write, and in how many goes; to has
 * room for four. */
static void rows_table(struct opt *to, const char **rows,
                       struct cooc_count_options *o)
{
    const struct opt opts[] = {
        OPT_NAME(0, "rows", rows, "ROWS", "as counted before, or all",
                 rows_kinds, "rows to write; costly leaves out the quick ones"),
        OPT_U32(0, "costly-df", &o->costly_df, "N", "by cost",
                "costly: leave out rows up to this df, at most 255"),
        OPT_U64(0, "batch-postings", &o->batch_postings, "N",
                "as memory allows",
                "count in batches of so many postings"),
        OPT_END
    };

    *rows = NULL;
    memcpy(to, opts, sizeof opts);
}

static enum cooc_written rows_kind(const char *rows)
{
    return !rows                               ? COOC_ROWS_AS_BEFORE
           : rows == rows_kinds[COOC_ROWS_ALL] ? COOC_ROWS_ALL
                                               : COOC_ROWS_COSTLY;
}

static void defaults(struct cooc_count_options *o, const char **methods)
{
    method_names(methods);
    cooc_count_options_init(o);
    if (!o->method)
        o->method = methods[0];
}

static int run_count(int argc, char **argv, struct cooc_err *err)
{
    const char *methods[METHODS_MAX + 1], *store = NULL, *rows;
    struct opt row_opts[4];
    struct cooc_count_options o;
    struct index_args docs;
    struct run_args run;
    int rc;

    defaults(&o, methods);
    rows_table(row_opts, &rows, &o);
    index_args_init(&docs);
    run_args_init(&run, "count again, replace the store, ignore a full disk");
    const struct opt opts[] = {
        OPT_TITLE("Counting"),
        OPT_NAME(0, "method", &o.method, "METHOD", NULL, methods,
                 "how to count; all give the same"),
        OPT_U64(0, "flush-pairs", &o.flush_pairs, "N", NULL,
                "naive: write out after N pairs"),
        OPT_U32(0, "block-terms", &o.block_terms, "N",
                "square root of the vocabulary",
                "list-blocks: terms of a block"),
        OPT_U32(0, "head-terms", &o.head_terms, "N", "by cost",
                "bit-scan: terms in bitmaps"),
        OPT_NAME(0, "kernel", &o.kernel, "KERNEL", "the best of this CPU",
                 kernels, "bit-scan: the inner loops"),
        OPT_U32(0, "accumulators", &o.accumulators, "N", NULL,
                "multi-scan: terms of a scan"),
        OPT_TABLE(row_opts),
        OPT_TEXT(0, "tmpdir", &o.tmpdir, "DIR", "inside the store",
                 "where temporary files go"),
        OPT_TEXT('o', "output", &store, "NAME.cooc", NULL,
                 "index the INPUTs into this store first"),
        OPT_TABLE(docs.opts),
        OPT_TABLE(run.opts),
        OPT_END
    };
    rc = opt_parse(&argc, &argv, opts, &cmd_count, 1, -1, err);
    if (rc)
        return rc;
    o.rows = rows_kind(rows);
    return work_and_tell(argc, argv, store, &docs, &o, &run, err);
}

const struct cmd cmd_count = {
    .name = "count", .group = CMD_MAKE,
    .args = "[options] NAME.cooc\n"
            "[options] INPUT... -o NAME.cooc",
    .summary = "count every pair of terms",
    .details = "Counts the pairs of a store made by 'cooc index', or, with "
               "-o, of documents that it indexes first.  Every method, "
               "thread count and memory limit gives the same counts.  With "
               "--rows costly, rows of rare terms are not written: questions "
               "recount them from the documents in microseconds, and the "
               "answers are the same.",
    .examples = "cooc count letters.cooc\n"
                "cooc count news.jsonl.gz --stem english -o news.cooc\n"
                "cooc count --method list-scan -j 1 --force letters.cooc\n",
    .run = run_count,
};
