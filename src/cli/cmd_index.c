/* cmd_index.c - "cooc index": read documents into a new store. */
#include "cli/cmd.h"
#include "cli/index_args.h"
#include "cli/program.h"
#include "cli/report.h"
#include "cooc_build.h"

struct index_cmd {
    const char *store;
    struct index_args docs;
    struct part_of part;
    struct job_args how;
};

static const struct opt options[] = {
    OPT_TEXT(struct index_cmd, store, 'o', "output", "NAME.cooc", NULL,
             "create this store (required)"),
    OPT_TABLE(struct index_cmd, docs, index_options),
    OPT_TITLE("Several machines"),
    OPT_PART(struct index_cmd, part, 0, "part",
             "index only the I-th of N shares of the inputs"),
    OPT_JOB(struct index_cmd, "replace an existing store"),
    OPT_END
};

static void init(void *args)
{
    index_args_init(&((struct index_cmd *)args)->docs);
}

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct index_cmd *job = args;
    struct cooc_index_report report = COOC_INDEX_REPORT;
    const struct job_facts facts = { .command = "index", .store = job->store,
                                     .indexed = &report };
    struct job_stats stats;
    struct answer out;
    int rc;

    if (!job->store)
        return no_store_named("index", argv, argc, err);
    rc = refuse_output("--stats-json", job->how.stats_file, &job->docs.o, argv,
                       argc, err);
    if (rc == 0)
        rc = job_stats_init(&stats, job->how.stats_file, err);
    if (rc < 0)
        return rc;
    job->docs.o.part = job->part.part;
    job->docs.o.parts = job->part.parts;
    rc = index_documents(&job->docs, &job->how, argv, argc, job->store, &stats,
                         &report, err);
    rc = job_stats_end(&stats, rc, &facts, err);
    if (rc < 0 || !job_reports(&job->how))
        return rc;
    answer_init(&out, stdout, out_form(job->how.json));
    if (job_brief(&job->how, &out)) {
        report_index_brief(&out, job->store, &report);
        answer_real(&out, "seconds", report.seconds_read +
                    report.seconds_order + report.seconds_write, 2);
        rc = program_report(&out, false, err);
        answer_finish(&out);
        if (job->part.parts)
            printf("\nnext, when all parts are indexed: cooc merge PART.cooc "
                   "... -o NAME.cooc\n");
        else
            suggest_query(job->store, false);
        return rc;
    }
    report_index(&out, job->store, &report);
    rc = program_report(&out, false, err);
    answer_finish(&out);
    return rc;
}

const struct job job_index = {
    .usage = {
        .name = "index", .min = 1, .max = -1,
        .args = "[options] INPUT... -o NAME.cooc",
        .summary = "read documents into a new store",
        .details = "An INPUT is a file (compressed or not), an archive, a "
                   "directory, or - for standard input. The format is "
                   "detected; use --format to override the detection.\n\n"
                   "Use 'index' to try out options for words and terms: "
                   "'stats', 'terms', 'top', 'row', 'pair', 'between', "
                   "'within' and 'docs' work on a store that is only "
                   "indexed. Then run 'cooc count' on the store to count "
                   "all pairs, which 'pairs' and 'export' require. To do "
                   "both in one step, use 'cooc count' with -o.\n\n"
                   "With --part I/N, index a collection on several machines "
                   "or in a job array: each job indexes one of N shares; give "
                   "all jobs the same inputs and options (--group-by is not "
                   "supported). 'cooc merge' combines all parts into the "
                   "store of all inputs. Files are read from disk, not from a "
                   "pipe. A file of lines that is not compressed is cut "
                   "between lines; any other file belongs to one share. Give "
                   "--min-df, --max-df, --top-terms and --terms to 'cooc "
                   "merge', because only the whole collection shows how "
                   "frequent a term is.",
        .output = "A report with the detected format, the speed, everything "
                  "that was dropped or replaced, and\n"
                  "- terms: number of distinct terms\n"
                  "- postings: number of distinct terms per document, summed "
                  "over all documents\n"
                  "- tokens: number of running words\n"
                  "The store appears under its name only when it is complete.",
        .examples = "cooc index letters/ -o letters.cooc\n"
                    "cooc index news.jsonl.gz --text-field title,body --stem "
                    "english -o news.cooc\n"
                    "cooc index baskets.dat --format transactions --min-df 5 "
                    "-o baskets.cooc\n"
                    "cooc index news/ --part 3/64 -o part-3.cooc\n",
        .options = options, .size = sizeof(struct index_cmd),
        .init = init,
    },
    .run = run,
};
