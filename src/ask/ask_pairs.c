/* ask_pairs.c - "pairs": the strongest of all, or those of a file. */
#include <math.h>
#include <string.h>

#include "ask/ask.h"
#include "ask/choice_args.h"
#include "ask/measure_list.h"
#include "ask/pair_file.h"
#include "ask/words.h"
#include "base/err.h"

struct pairs_args {
    struct choice_args choice;
    uint32_t threads;
    const char *from, *measures;
    bool stems;
};

static const struct opt options[] = {
    OPT_U64(struct pairs_args, choice.limit, 'n', "limit", "N", NULL,
            "print at most N pairs; 0: all"),
    OPT_TABLE(struct pairs_args, choice, choice_options),
    OPT_TEXT(struct pairs_args, from, 0, "from", "FILE", NULL,
             "print the pairs of this file, one a line; -: of standard "
             "input"),
    OPT_TEXT(struct pairs_args, measures, 0, "measures", "LIST", NULL,
             "with --from: " MEASURES_HELP),
    OPT_THREADS(struct pairs_args, threads, "use N threads"),
    OPT_STEMS(struct pairs_args, stems),
    OPT_END
};

static const struct pairs_args defaults = {
    .choice = CHOICE_DEFAULTS, .measures = "pmi,npmi,llr,dice,jaccard"
};

/* A file has its own pairs and order. */
static int check(const void *args, struct cooc_err *err)
{
    static const char *const of_files[] = { "from", "measures", "show-stems",
                                            NULL };
    const struct pairs_args *pairs = args;

    if (!pairs->from && strcmp(pairs->measures, defaults.measures) != 0)
        return err_set(err, COOC_EINVAL, "--measures goes with --from; to "
                       "rank all pairs by a measure, give --by");
    if (pairs->from && opt_given(options, args, &defaults, of_files))
        return err_set(err, COOC_EINVAL, "--from prints every pair of the "
                       "file in its order: it goes with --measures and "
                       "--json alone");
    return 0;
}

static int ask_strongest(struct answer *a, const struct pairs_args *pairs,
                         struct cooc_err *err)
{
    struct field fields[FIELDS_MAX];
    struct cooc_list exclude = { 0 };
    struct cooc_hit *hits = NULL;
    struct cooc_choice choice;
    struct cooc_info info;
    size_t n;
    int rc = cooc_info(a->db, &info, err);

    if (rc == 0)
        rc = choice_args_take(&pairs->choice, a, info.pairs, &choice,
                              &exclude, err);
    if (rc < 0)
        goto out;
    choice.watch = a->form->start(a, false);
    choice.threads = pairs->threads;
    rc = cooc_pairs(a->db, &choice, &hits, &n, err);
    rc = a->form->finish(a, rc, err);
    if (rc < 0)
        goto out;
    hit_fields(pair_hit_fields, choice.by.measure, fields);
    rc = answer_rows(a, NULL, fields, hits, sizeof *hits, n, err);
out:
    cooc_hits_free(hits);
    cooc_list_release(&exclude);
    return rc;
}

static int ask(struct answer *a, const void *args, size_t n_words,
               char *const *words, struct cooc_err *err)
{
    const struct pairs_args *pairs = args;

    (void)n_words, (void)words;
    cooc_show_stems(a->db, pairs->stems);
    return pairs->from
               ? pair_file_answer(a, pairs->from, pairs->measures, err)
               : ask_strongest(a, pairs, err);
}

const struct question question_pairs = {
    .usage = {
        .name = "pairs",
        .args = "[options] NAME.cooc",
        .summary = "list the strongest pairs of the whole store, or of a file",
        .details = "term1 is the more frequent of the two and x in the "
                   "measures; df1 and df2 are the numbers of documents that "
                   "hold them.  With --from, the pairs of a file as they "
                   "stand there: two words a line with a tab between them, or "
                   "blanks where there is no tab; lines that begin with '# ' "
                   "are passed over.  A word that is in no document has df 0, "
                   "and its measures are no numbers.  That needs no counted "
                   "pairs.",
        .examples = "cooc pairs news.cooc\n"
                    "cooc pairs news.cooc --by npmi --min-count 20 -n 100\n"
                    "cooc pairs news.cooc --by llr --exclude names.txt\n"
                    "cooc pairs news.cooc --from pairs.tsv --measures "
                    "npmi,llr\n",
        .options = options,
        .size = sizeof(struct pairs_args),
        .defaults = &defaults,
        .min = 1, .max = 1,
    },
    .check = check,
    .ask = ask,
};
