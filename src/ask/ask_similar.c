/* ask_similar.c - "similar": the terms that are used most like a term. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ask/answer_file.h"
#include "ask/ask.h"
#include "ask/rank_args.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "cooc_bulk.h"

struct similar_args {
    uint64_t limit, contexts, min_df;
    struct scoring_args by;
    double min_score; /* NAN: not set */
    const char *terms_file, *path;
    uint32_t threads;
};

static const struct opt options[] = {
    OPT_TITLE("Vectors"),
    OPT_TEXT(struct similar_args, by.by, 0, "by", "MEASURE", NULL,
             "weight each context by this measure"),
    OPT_TABLE(struct similar_args, by, scoring_options),
    OPT_U64(struct similar_args, contexts, 0, "contexts", "N", NULL,
            "use the N most frequent terms as contexts, or all if N is 0"),
    OPT_TITLE("Filters"),
    OPT_U64(struct similar_args, min_df, 0, "min-df", "N", NULL,
            "omit terms in fewer than N documents"),
    OPT_REAL(struct similar_args, min_score, 0, "min-score", "S", "none",
             "omit terms less similar than S"),
    OPT_TITLE("General"),
    OPT_TEXT(struct similar_args, terms_file, 0, "terms", "FILE", NULL,
             "compare the terms listed in FILE, one per line"),
    OPT_U64(struct similar_args, limit, 'n', "limit", "N", NULL,
            "print at most N similar terms per TERM, or all if N is 0"),
    OPT_TEXT(struct similar_args, path, 'o', "output", "FILE",
             "standard output", "write to FILE"),
    OPT_THREADS(struct similar_args, threads, "use N threads"),
    OPT_END
};

static const struct similar_args defaults = {
    .limit = 20, .contexts = 10000, .min_df = 10,
    .by = { .by = "ppmi", .shift = NAN, .smoothing = NAN }, .min_score = NAN
};

static const struct field query_fields[] = {
    FIELD_TERM(struct cooc_hit, pair.x, "query"), FIELD_END
};
static const struct field similar_fields[] = {
    FIELD_TERM(struct cooc_hit, pair.y, "term"),
    FIELD_COUNT(struct cooc_hit, pair.count, "count"),
    FIELD_COUNT(struct cooc_hit, pair.fy, "df"),
    FIELD_REAL(struct cooc_hit, score, "similarity", 4),
    FIELD_END
};

static int check(const struct request *q, struct cooc_err *err)
{
    const struct similar_args *args = q->args;

    if (args->terms_file && q->n_words)
        return err_set(err, COOC_EINVAL,
                       "--terms takes the place of TERM, so the two cannot be "
                       "combined");
    if (!args->terms_file && !q->n_words)
        return err_set(err, COOC_EINVAL,
                       "missing argument; give a TERM, or a file of terms "
                       "with --terms");
    return 0;
}

static int take_options(const struct similar_args *args,
                        struct cooc_similar_options *o, struct cooc_err *err)
{
    *o = (struct cooc_similar_options)COOC_SIMILAR_OPTIONS;
    o->limit = args->limit ? limit_of(args->limit) : COOC_ALL;
    o->contexts = args->contexts ? limit_of(args->contexts) : COOC_ALL;
    o->min_df = args->min_df ? args->min_df : 1;
    o->has_min_score = !isnan(args->min_score);
    o->min_score = o->has_min_score ? args->min_score : 0;
    o->threads = args->threads;
    return scoring_args_take(&args->by, &o->scoring, err);
}

/* Find the terms to compare: those of a file, or the words of the request. */
static int take_terms(const struct answer *a, const struct request *q,
                      uint32_t words[TERMS_MAX], struct cooc_list *listed,
                      struct cooc_err *err)
{
    const struct similar_args *args = q->args;
    int rc;

    if (args->terms_file)
        return read_terms(a->db, args->terms_file, true, listed, err);
    rc = find_terms(a->db, q->n_words, q->words, words, err);
    listed->terms = words;
    listed->n = q->n_words;
    return rc;
}

/* Say so if there is nothing to print, because the defaults suit stores of
 * thousands of documents. */
static void note_nothing(const struct similar_args *args)
{
    if (!isnan(args->min_score))
        return;
    if (args->min_df > 1)
        answer_note("no similar terms: no term in at least %" PRIu64
                    " documents shares a context with the given ones; "
                    "--min-df includes rarer terms", args->min_df);
    else
        answer_note("no similar terms: no term shares a context with the "
                    "given ones");
}

static int print(struct answer *a, bool several, const struct cooc_hit *hits,
                 size_t n, struct cooc_err *err)
{
    struct field fields[FIELDS_MAX] = { FIELD_END };

    if (several)
        fields_add(fields, query_fields);
    fields_add(fields, similar_fields);
    return answer_rows(a, NULL, fields, hits, sizeof *hits, n, err);
}

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct similar_args *args = q->args;
    bool several = args->terms_file || q->n_words > 1;
    uint32_t words[TERMS_MAX];
    struct cooc_list listed = COOC_LIST;
    struct cooc_similar_options o;
    struct cooc_hit *hits = NULL;
    struct answer_file file = { .to_before = a->to, .form_before = a->form };
    struct cooc_watch watch;
    size_t n = 0;
    int rc = take_options(args, &o, err);

    if (rc == 0)
        rc = take_terms(a, q, words, &listed, err);
    if (rc == 0)
        rc = answer_file_open(&file, args->path, a, err);
    if (rc == 0) {
        watch = a->start(a, false);
        o.watch = &watch;
        rc = cooc_similar(a->db, listed.terms, listed.n, &o, &hits, &n, err);
        rc = a->finish(a, rc, err);
    }
    if (rc == 0)
        rc = print(a, several, hits, n, err);
    rc = answer_file_close(&file, a, rc, err);
    if (rc == 0 && !n)
        note_nothing(args);
    if (listed.terms != words)
        cooc_free(listed.terms);
    cooc_free(hits);
    return rc;
}

const struct question question_similar = {
    .usage = {
        .name = "similar", .min = 1, .max = -1,
        .args = "[options] NAME.cooc TERM...\n"
                "[options] NAME.cooc --terms FILE",
        .summary = "list the terms that are used most like a term",
        .details = "Use this to find words that are used like a word, for "
                   "example synonyms, variants and misspellings. They need "
                   "not occur in the same documents: two terms are similar "
                   "if they co-occur with the same contexts, which are the "
                   "most frequent terms of the store. Each term has a vector "
                   "with the weight of every context: by default its "
                   "positive PMI with the term, or 0 if they never co-occur. "
                   "The similarity is the cosine of two vectors, from 0 to 1 "
                   "if no weight is negative. In the formulas of 'cooc "
                   "measures', the term is x and the context is y. "
                   "google-distance, conviction and umass cannot be "
                   "weights.\n\n"
                   "Several TERMs are compared one by one, in a single pass "
                   "over the store. The store must be counted.",
        .output = "One row per similar term, the most similar first, with "
                  "these columns:\n"
                  "- query: the TERM, if there are several, or with --terms\n"
                  "- term: the similar term\n"
                  "- count: number of documents that contain both\n"
                  "- df: number of documents that contain the similar term\n"
                  "- similarity: the cosine, rounded to 12 decimals\n"
                  "With -o, the file appears, or replaces an existing one, "
                  "only when it is complete.",
        .examples = "cooc similar news.cooc coffee\n"
                    "cooc similar news.cooc coffee tea -n 5\n"
                    "cooc similar news.cooc coffee --min-df 2 --contexts "
                    "1000\n"
                    "cooc similar news.cooc --terms seeds.txt -o "
                    "similar.tsv\n",
        .options = options, .size = sizeof(struct similar_args),
        .defaults = &defaults,
    },
    .stems = true,
    .check = check,
    .ask = ask,
};
