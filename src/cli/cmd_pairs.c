/* cmd_pairs.c - "cooc pairs": the strongest of all, or those of a file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/choice_args.h"
#include "cli/fail.h"
#include "cli/pair_file.h"
#include "cli/pair_out.h"
#include "cli/progress.h"
#include "cli/shared.h"

struct pairs_args {
    struct choice_args choice;
    uint32_t threads;
    const char *from, *measures;
    bool json, stems;
};

static int print_from(struct cooc *db, const struct pairs_args *a,
                      struct cooc_err *err)
{
    struct measure_list measures;
    struct pair_out table = { .db = db, .form = PAIR_COUNTS,
                                .measures = &measures };
    int rc = measure_list_parse(&measures, a->measures, err);

    if (rc < 0)
        return rc;
    out_init(&table.out, stdout, out_form(a->json));
    rc = pair_file_print(&table, a->from, err);
    pair_out_release(&table);
    return rc;
}

/* A file has its own pairs and order. */
static int check_from(const struct pairs_args *a,
                      const struct pairs_args *usual, struct cooc_err *err)
{
    const struct choice_args *c = &a->choice, *u = &usual->choice;

    if (!a->from && a->measures != usual->measures)
        return fail(err, COOC_EINVAL, "--measures goes with --from; to rank "
                    "all pairs by a measure, give --by");
    if (a->from && (strcmp(c->by, u->by) || c->limit != u->limit ||
                    c->min_count != u->min_count || c->min_df || c->max_df ||
                    c->reverse || c->exclude_file || a->threads ||
                    !isnan(c->shift) || !isnan(c->smoothing) ||
                    !isnan(c->min_score)))
        return fail(err, COOC_EINVAL, "--from prints every pair of the file "
                    "in its order: it goes with --measures and --json alone");
    return 0;
}

static int print_pairs(struct cooc *db, struct pairs_args *a,
                       struct cooc_err *err)
{
    struct cooc_hit *hits = NULL;
    struct cooc_choice choice;
    struct cooc_info info;
    struct progress progress;
    struct out out;
    size_t n;
    int rc;

    out_init(&out, stdout, out_form(a->json));
    rc = cooc_info(db, &info, err);
    if (rc < 0)
        goto out;
    rc = choice_args_choice(&a->choice, db, info.pairs, &choice, err);
    if (rc < 0)
        goto out;
    progress_init(&progress, false);
    choice.watch = progress_watch(&progress);
    choice.threads = a->threads;
    rc = cooc_pairs(db, &choice, &hits, &n, err);
    rc = progress_answered(&progress, rc, err);
    if (rc < 0)
        goto out;
    rc = print_pair_hits(&out, NULL, db, choice.by.measure, hits, n, err);
out:
    out_release(&out);
    cooc_hits_free(hits);
    return rc;
}

static int run_pairs(int argc, char **argv, struct cooc_err *err)
{
    struct pairs_args a = { .measures = "pmi,npmi,llr,dice,jaccard" }, usual;
    const struct opt opts[] = {
        OPT_TABLE(a.choice.opts),
        OPT_TEXT(0, "from", &a.from, "FILE", NULL,
                 "print the pairs of this file, one a line; -: of standard "
                 "input"),
        OPT_TEXT(0, "measures", &a.measures, "LIST", NULL,
                 "with --from: " MEASURES_HELP),
        OPT_U32('j', "threads", &a.threads, "N", "every core",
                "use N threads"),
        OPT_STEMS(&a.stems),
        OPT_FLAG(0, "json", &a.json, JSON_LINES),
        OPT_END
    };
    struct cooc *db = NULL;
    int rc;

    choice_args_init(&a.choice, "print at most N pairs; 0: all");
    usual = a;
    rc = opt_parse(&argc, &argv, opts, &cmd_pairs, 1, 1, err);
    if (rc)
        return rc;
    rc = check_from(&a, &usual, err);
    if (rc < 0)
        goto out;
    rc = open_store(&db, argv[0], a.stems, err);
    if (rc < 0)
        goto out;
    if (a.from)
        rc = print_from(db, &a, err);
    else
        rc = hint_count(print_pairs(db, &a, err), argv[0], err);
out:
    choice_args_release(&a.choice);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_pairs = {
    .name = "pairs", .group = CMD_ASK,
    .args = "[options] NAME.cooc",
    .summary = "list the strongest pairs of the whole store, or of a file",
    .details = "term1 is the more frequent of the two and x in the measures; "
               "df1 and df2 are the numbers of documents that hold them.  "
               "With --from, the pairs of a file as they stand there: two "
               "words a line with a tab between them, or blanks where there "
               "is no tab; lines that begin with '# ' are passed over.  A "
               "word that is in no document has df 0, and its measures are "
               "no numbers.  That needs no counted pairs.",
    .examples = "cooc pairs news.cooc\n"
                "cooc pairs news.cooc --by npmi --min-count 20 -n 100\n"
                "cooc pairs news.cooc --by llr --exclude names.txt\n"
                "cooc pairs news.cooc --from pairs.tsv --measures npmi,llr\n",
    .run = run_pairs,
};
