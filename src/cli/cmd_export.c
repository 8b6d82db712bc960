/* cmd_export.c - "cooc export": the counted pairs for other programs. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/choice_args.h"
#include "cli/fail.h"
#include "cli/progress.h"
#include "cli/shared.h"

enum { FORMATS_MAX = 31, TABLE_MAX = 28 };

#define MANY_EDGES 1000000u /* that drawing programs can stand */

struct export_args {
    struct choice_args choice; /* the measure of it */
    struct cooc_export_options o;
    struct cooc_list terms;
    const char *format, *path, *terms_file;
    const char *names[FORMATS_MAX + 1];
    uint32_t top_terms;
    bool triangle, symmetric, quiet, json, stems;
    struct opt opts[TABLE_MAX];
};

static void make_names(struct export_args *a)
{
    unsigned n = 0;

    while (n < FORMATS_MAX && (a->names[n] = cooc_export_format(n, NULL)))
        n++;
    a->names[n] = NULL;
}

static void make_table(struct export_args *a)
{
    struct cooc_export_options *o = &a->o;
    const struct opt table[] = {
        OPT_NAME(0, "format", &a->format, "FORMAT", a->names[0], a->names,
                 "write"),
        OPT_TEXT('o', "output", &a->path, "FILE", "standard output",
                 "write FILE, which replaces an existing one when it is "
                 "complete; formats with two files also take a directory"),
        OPT_TITLE("Values"),
        OPT_TABLE(a->choice.measure),
        OPT_FLAG(0, "triangle", &a->triangle,
                 "tables, matrices: each pair once, in the row of its rarer "
                 "term"),
        OPT_FLAG(0, "symmetric", &a->symmetric,
                 "tables, matrices: each pair both ways"),
        OPT_FLAG(0, "diagonal", &o->diagonal,
                 "add each term with itself: its df"),
        OPT_TITLE("Which terms and pairs, in this order"),
        OPT_TEXT(0, "terms", &a->terms_file, "FILE", NULL,
                 "only pairs among the terms of this file, one a line"),
        OPT_U32(0, "top-terms", &a->top_terms, "N", "0, all",
                "only pairs among the N most frequent terms"),
        OPT_U64(0, "min-count", &o->min_count, "K", NULL,
                "only pairs that meet in K documents or more"),
        OPT_REAL(0, "min-score", &o->min_score, "S", "any",
                 "only pairs at least as strong as S, by the measure"),
        OPT_U32(0, "per-node", &o->per_node, "K", "0, all",
                "only pairs among the K strongest of either term"),
        OPT_U64(0, "top-edges", &o->top_edges, "N", "0, all",
                "only the N strongest pairs"),
        OPT_U32(0, "nodes", &o->nodes, "N", "0, all",
                "only the N terms with the largest sum of counts"),
        OPT_STEMS(&a->stems),
        OPT_TITLE("Running"),
        OPT_U32('j', "threads", &o->threads, "N", "every core",
                "use N threads for measures"),
        OPT_SIZE(0, "memory", &o->memory, "half of the machine's",
                 "use at most about so much memory, as 512M or 8G"),
        OPT_TEXT(0, "tmpdir", &o->tmpdir, "DIR", "beside the output",
                 "where temporary files go"),
        OPT_FLAG('q', "quiet", &a->quiet, "no progress, no report"),
        OPT_FLAG(0, "json", &a->json,
                 "without --format, the same as --format jsonl; with it, print "
                 "the report as JSON"),
        OPT_END
    };

    _Static_assert(sizeof table <= sizeof a->opts, "too small");
    memcpy(a->opts, table, sizeof table);
}

static void report(const struct export_args *a,
                   const struct cooc_export_report *r, double seconds)
{
    struct out out;

    out_init(&out, stdout, out_form(a->json));
    out_open(&out);
    out_text(&out, "file", r->file);
    if (*r->side_file)
        out_text(&out, "terms file", r->side_file);
    if (*r->side_file || r->network)
        out_count(&out, "terms", r->terms);
    out_count(&out, r->cells ? "entries" : "pairs", r->pairs);
    out_count(&out, "bytes", r->bytes);
    out_real(&out, "seconds", seconds, 2);
    out_close(&out);
}

/* A drawing program takes what it is given and then never answers. */
static void warn_large(const struct cooc_export_report *r)
{
    char buf[NUMBER_MAX];

    if (r->network && r->pairs > MANY_EDGES)
        fprintf(stderr, "cooc: %s edges are more than Gephi and the like can "
                "draw; --top-edges, --per-node, --nodes and --min-count "
                "make a smaller network\n", format_count(buf, r->pairs));
}

/* A slash at the end says that it is a directory. */
static int check_place(const char *path, struct cooc_err *err)
{
    size_t len = path ? strlen(path) : 0;

    return len && path[len - 1] == '/' ? check_directory(path, err)
                                       : check_output(path, err);
}

static int export_to(struct export_args *a, struct cooc *db,
                     struct cooc_err *err)
{
    bool to_stdout = !a->path || !strcmp(a->path, "-") ||
                     !strcmp(a->path, "/dev/stdout");
    bool to_terminal = to_stdout && isatty(STDOUT_FILENO);
    double start = seconds_now();
    struct cooc_export_report r;
    struct progress progress;
    int rc;

    rc = check_place(to_stdout ? NULL : a->path, err);
    if (rc == 0)
        rc = check_directory(a->o.tmpdir, err);
    if (rc < 0)
        return rc;
    if (to_terminal && !strcmp(a->format, "raw"))
        return fail(err, COOC_EINVAL, "raw pairs are not for a terminal; "
                    "add -o FILE or a pipe");
    progress_init(&progress, a->quiet || to_terminal);
    a->o.watch = progress_watch(&progress);
    rc = cooc_export(db, a->path, &a->o, &r, err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        return fail(err, rc, "interrupted; nothing exported");
    if (rc == 0 && !a->quiet)
        warn_large(&r);
    if (rc == 0 && !to_stdout && !a->quiet)
        report(a, &r, seconds_now() - start);
    return rc;
}

/* What the options say, and the words of the list. */
static int ready(struct export_args *a, struct cooc *db, struct cooc_err *err)
{
    struct cooc_export_options *o = &a->o;
    int rc = choice_args_by(&a->choice, &o->by, err);

    if (rc < 0)
        return rc;
    if (a->triangle && a->symmetric)
        return fail(err, COOC_EINVAL, "--triangle and --symmetric exclude "
                    "each other");
    if (!a->format)
        a->format = a->json ? "jsonl" : a->names[0];
    o->format = a->format;
    o->shape = a->triangle    ? COOC_SHAPE_TRIANGLE
               : a->symmetric ? COOC_SHAPE_SYMMETRIC
                              : COOC_SHAPE_USUAL;
    o->top_terms = a->top_terms;
    if (!a->terms_file)
        return 0;
    rc = cooc_list_read(db, a->terms_file, &a->terms, err);
    if (rc < 0)
        return rc;
    warn_unknown(a->terms_file, &a->terms);
    if (!a->terms.n)
        return fail(err, COOC_ENOTFOUND, "%s holds no word of the store",
                    a->terms_file);
    o->terms = a->terms.ids;
    o->n_terms = a->terms.n;
    return 0;
}

static int run_export(int argc, char **argv, struct cooc_err *err)
{
    struct export_args a = { 0 };
    struct cooc *db = NULL;
    int rc;

    cooc_export_options_init(&a.o);
    choice_args_init(&a.choice, "");
    make_names(&a);
    make_table(&a);
    rc = opt_parse(&argc, &argv, a.opts, &cmd_export, 1, 1, err);
    if (rc)
        return rc;
    rc = open_store(&db, argv[0], a.stems, err);
    if (rc == 0)
        rc = ready(&a, db, err);
    if (rc == 0)
        rc = hint_count(export_to(&a, db, err), argv[0], err);
    cooc_list_release(&a.terms);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_export = {
    .name = "export", .group = CMD_KEEP,
    .args = "[options] NAME.cooc",
    .summary = "write the counted pairs for other programs",
    .details =
        "tsv, csv and jsonl have term1, term2, count, df1 and df2, and the "
        "measure if one is asked for; term1 is the more frequent of the two; "
        "in tsv a tab, newline, return, NUL or backslash in a term is written "
        "as \\t, \\n, \\r, \\0 or \\\\.  raw has, for each term with pairs, "
        "its id, the number of its partners, and their ids and counts, as "
        "little-endian 32-bit numbers.  glove, mtx and npz are matrices with "
        "the terms in a second file, one per line: news.npz and "
        "news.npz.terms.txt.  "
        "sqlite is a database.  gexf, graphml, pajek, vosviewer and gephi-csv "
        "are networks of the terms that have a pair left: choose a few "
        "thousand edges, or nobody can draw them.\n\n"
        "Filters work in the order in which they are listed, each on what "
        "the ones before it left.  The strength of a pair is its measure "
        "from the more frequent term to the rarer one, as in 'cooc pairs'.  "
        "Ids in matrices and networks are new ones, in order of frequency.",
    .examples = "cooc export news.cooc --min-count 5 | zstd > pairs.tsv.zst\n"
                "cooc export news.cooc --format npz --by ppmi -o news.npz\n"
                "cooc export news.cooc --format gexf --min-count 20 "
                "--nodes 300 -o news.gexf\n"
                "cooc export news.cooc --format sqlite --top-terms 20000 -o "
                "news.sqlite\n"
                "cooc export news.cooc --format glove -o cooccurrence.bin\n",
    .run = run_export,
};
