/* cmd_export.c - "cooc export": write the counted pairs for other programs. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "ask/rank_args.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "base/watch.h"
#include "cli/cmd.h"
#include "cli/job_args.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "cooc_export.h"

#define MANY_EDGES 1000000u /* more than drawing programs can handle */

struct export_args {
    struct cooc_export_options o;
    struct scoring_args by;
    const char *format, *path, *terms_file;
    bool triangle, symmetric, quiet, json;
    double min_score; /* NAN: not set */
};

static const char *format_name(unsigned i)
{
    return cooc_export_format_get(i, NULL);
}

static const struct opt options[] = {
    OPT_NAME_OF(struct export_args, format, 0, "format", "FORMAT", "tsv",
                format_name, "choose the output format"),
    OPT_TEXT(struct export_args, path, 'o', "output", "FILE",
             "standard output",
             "write to FILE, or into FILE if it is a directory"),
    OPT_TITLE("Values and shape"),
    OPT_TEXT(struct export_args, by.by, 0, "by", "MEASURE", NULL,
             "write this measure and rank by it"),
    OPT_TABLE(struct export_args, by, scoring_options),
    OPT_STEMS(struct export_args, o.stems),
    OPT_FLAG(struct export_args, triangle, 0, "triangle",
             "write each pair once, in the row of its rarer term"),
    OPT_FLAG(struct export_args, symmetric, 0, "symmetric",
             "write each pair in both directions"),
    OPT_FLAG(struct export_args, o.diagonal, 0, "diagonal",
             "add each term paired with itself; the count is its df"),
    OPT_TITLE("Filters, applied in this order"),
    OPT_TEXT(struct export_args, terms_file, 0, "terms", "FILE", NULL,
             "keep pairs among the terms in FILE, one per line"),
    OPT_TEXT(struct export_args, o.like1, 0, "like1", "PATTERN", NULL,
             "keep pairs with a term that matches PATTERN"),
    OPT_TEXT(struct export_args, o.like2, 0, "like2", "PATTERN", NULL,
             "keep pairs if the other term matches PATTERN"),
    OPT_U32(struct export_args, o.top_terms, 0, "top-terms", "N", "0, no limit",
            "keep pairs among the N most frequent terms"),
    OPT_U64(struct export_args, o.min_count, 0, "min-count", "K", NULL,
            "keep pairs in at least K documents"),
    OPT_REAL(struct export_args, min_score, 0, "min-score", "S", "none",
             "keep pairs at least as strong as S"),
    OPT_U32(struct export_args, o.per_node, 0, "per-node", "K", "0, no limit",
            "keep the K strongest pairs of each term"),
    OPT_U64(struct export_args, o.top_edges, 0, "top-edges", "N", "0, no limit",
            "keep the N strongest pairs"),
    OPT_U32(struct export_args, o.nodes, 0, "nodes", "N", "0, no limit",
            "keep the N terms with the largest sum of counts"),
    OPT_TITLE("Running"),
    OPT_THREADS(struct export_args, o.threads,
                "use N threads to read, score and format rows"),
    OPT_SIZE(struct export_args, o.memory, 0, "memory",
             "half of RAM",
             "use at most about SIZE, as in 8G"),
    OPT_TEXT(struct export_args, o.tmpdir, 0, "tmpdir", "DIR",
             "next to the output", "write temporary files to DIR"),
    OPT_FLAG(struct export_args, quiet, 'q', "quiet",
             "suppress progress and the report"),
    OPT_FLAG(struct export_args, json, 0, "json",
             "choose jsonl; with --format, print the report as JSON"),
    OPT_END
};

static void init(void *args)
{
    struct export_args *job = args;

    cooc_init(&job->o, sizeof job->o);
    job->o.min_count = 1;
    job->min_score = NAN;
    job->by = (struct scoring_args)SCORING_DEFAULTS;
}

static void report(const struct export_args *job,
                   const struct cooc_export_report *r, double seconds)
{
    struct answer out, *a = &out;

    answer_init(a, stdout, out_form(job->json));
    answer_text(a, "file", r->file);
    if (*r->side_file)
        answer_text(a, "terms file", r->side_file);
    if (*r->side_file || r->network || r->index)
        answer_count(a, "terms", r->terms);
    if (r->index) {
        answer_count(a, "documents", r->documents);
        answer_count(a, "postings", r->postings);
    } else {
        answer_count(a, r->cells ? "entries" : "pairs", r->pairs);
    }
    answer_count(a, "bytes", r->bytes);
    answer_real(a, "seconds", seconds, 2);
    answer_finish(a);
}

/* Drawing programs accept a network of any size, but may never finish. */
static void warn_large(const struct cooc_export_report *r)
{
    char buf[NUMBER_MAX];

    if (r->network && r->pairs > MANY_EDGES)
        fprintf(stderr, "cooc: warning: %s edges are more than programs such "
                "as Gephi can draw; use --top-edges, --per-node, --nodes or "
                "--min-count for a smaller network\n",
                format_count(buf, r->pairs));
}

/* Formats that can be written to standard output, but not to a terminal. */
static bool is_binary(const char *format)
{
    return !strcmp(format, "raw") || !strcmp(format, "ciff");
}

/* A path that ends with a slash must be an existing directory. */
static int check_output_path(const char *path, struct cooc_err *err)
{
    size_t len = path ? strlen(path) : 0;

    return len && path[len - 1] == '/' ? check_directory(path, err)
                                       : check_output(path, err);
}

static int export_to(struct export_args *job, struct cooc *db,
                     struct cooc_err *err)
{
    bool to_stdout = !job->path || !strcmp(job->path, "-") ||
                     !strcmp(job->path, "/dev/stdout");
    bool to_terminal = to_stdout && isatty(STDOUT_FILENO);
    double start = clock_seconds();
    struct cooc_export_report r = COOC_EXPORT_REPORT;
    struct cooc_watch watch;
    struct progress progress;
    int rc;

    rc = check_output_path(to_stdout ? NULL : job->path, err);
    if (rc == 0)
        rc = check_directory(job->o.tmpdir, err);
    if (rc < 0)
        return rc;
    if (to_terminal && is_binary(job->format))
        return err_set(err, COOC_EINVAL,
                       "format %s cannot be written to a terminal; add -o "
                       "FILE or use a pipe", job->format);
    watch = progress_start(&progress, job->quiet || to_terminal);
    job->o.watch = &watch;
    rc = cooc_export(db, job->path, &job->o, &r, err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        return err_set(err, rc, "interrupted; nothing was exported");
    if (rc == 0 && !job->quiet)
        warn_large(&r);
    if (rc == 0 && !to_stdout && !job->quiet)
        report(job, &r, clock_seconds() - start);
    return rc;
}

/* Set job->o from the options, and read the file of --terms. */
static int prepare(struct export_args *job, struct cooc *db,
                   struct cooc_list *terms, struct cooc_err *err)
{
    struct cooc_export_options *o = &job->o;
    int rc = scoring_args_take(&job->by, &o->scoring, err);

    if (rc < 0)
        return rc;
    if (job->triangle && job->symmetric)
        return err_set(err, COOC_EINVAL, "--triangle and --symmetric cannot "
                       "be combined");
    if (!job->format)
        job->format = job->json ? "jsonl" : format_name(0);
    o->format = job->format;
    o->has_min_score = !isnan(job->min_score);
    o->min_score = o->has_min_score ? job->min_score : 0;
    o->shape = job->triangle    ? COOC_SHAPE_TRIANGLE
               : job->symmetric ? COOC_SHAPE_SYMMETRIC
                                : COOC_SHAPE_DEFAULT;
    if (!job->terms_file)
        return 0;
    rc = read_terms(db, job->terms_file, false, terms, err);
    if (rc == 0 && !terms->n)
        rc = err_path(err, COOC_ENOTFOUND, job->terms_file,
                      "does not contain a word of the store");
    o->terms = terms->terms;
    o->n_terms = terms->n;
    return rc;
}

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct export_args *job = args;
    struct cooc_list terms = COOC_LIST;
    struct cooc *db = NULL;
    int rc = cooc_open(&db, argv[0], err);

    (void)argc;
    if (rc == 0)
        rc = prepare(job, db, &terms, err);
    if (rc == 0)
        rc = hint_count(export_to(job, db, err), argv[0], err);
    cooc_free(terms.terms);
    cooc_close(db);
    return rc;
}

const struct job job_export = {
    .usage = {
        .name = "export", .min = 1, .max = 1,
        .args = "[options] NAME.cooc",
        .summary = "write the counted pairs to a file for another program",
        .details = "tsv, csv and jsonl are tables for a spreadsheet, R, "
                   "pandas or a script. npz (scipy), mtx (Matrix Market) and "
                   "glove are sparse matrices, with the terms in a second "
                   "file. sqlite is a database. gexf, graphml, pajek, "
                   "vosviewer and gephi-csv are networks for drawing; keep a "
                   "few thousand pairs, because drawing programs cannot show "
                   "many more. raw has, for each term, its id, the number of "
                   "its partners, and their ids and counts as little-endian "
                   "32-bit integers. ciff has no pairs: it is the inverted "
                   "index of the documents for Lucene, PISA and other search "
                   "engines, and needs only 'cooc index'; of the options on "
                   "values, shape and filters, it takes only --terms and "
                   "--top-terms.\n\n"
                   "Each filter works on the pairs that the filters before "
                   "it have kept. The strength of a pair is its measure with "
                   "the more frequent term as x, as in 'cooc pairs'. With "
                   "--like1 and --like2, one term of a pair matches the "
                   "first pattern of 'cooc terms --like' and the other one "
                   "the second, as in a network of authors and keywords. "
                   "--triangle and --symmetric apply to tables and "
                   "matrices only. 'cooc measures' lists the values for --by.",
        .output = "Tables have these columns:\n"
                  "- term1, term2: the two terms; term1 is the more frequent "
                  "one\n"
                  "- count: number of documents that contain both\n"
                  "- df1, df2: number of documents that contain term1, and "
                  "that contain term2\n"
                  "and the measure, if --by names one. In tsv, a tab, "
                  "newline, carriage return, NUL or backslash in a term is "
                  "written as \\t, \\n, \\r, \\0 or \\\\. Matrices and "
                  "networks renumber the terms by frequency.\n\n"
                  "With -o, the file appears, or replaces an existing one, "
                  "only when it is complete. If the format has a second "
                  "file, it is named after the first: news.npz and "
                  "news.npz.terms.txt. If FILE is a directory, which is "
                  "possible only for formats with two files, they are named\n"
                  "- glove: cooccurrence.bin and vocab.txt\n"
                  "- mtx: matrix.mtx and matrix.mtx.terms.txt\n"
                  "- npz: matrix.npz and matrix.npz.terms.txt\n"
                  "- vosviewer: network.txt and map.txt\n"
                  "- gephi-csv: edges.csv and nodes.csv",
        .examples = "cooc export news.cooc --min-count 5 -o pairs.tsv\n"
                    "cooc export news.cooc --format npz --by ppmi -o "
                    "news.npz\n"
                    "cooc export news.cooc --format gexf --min-count 20 "
                    "--nodes 300 -o news.gexf\n"
                    "cooc export med.cooc --format gexf --like1 'au:*' "
                    "--like2 'kw:*' -o med.gexf\n"
                    "cooc export news.cooc --format sqlite --top-terms 20000 "
                    "-o news.sqlite\n"
                    "cooc export news.cooc --format glove -o "
                    "cooccurrence.bin\n"
                    "cooc export news.cooc --format ciff -o news.ciff\n",
        .options = options, .size = sizeof(struct export_args),
        .init = init,
    },
    .run = run,
};
