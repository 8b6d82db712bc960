/* ask_pairs.c - "pairs": the strongest pairs, or the pairs of a file. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "ask/measure_list.h"
#include "ask/rank_args.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "base/list_lines.h"
#include "base/unlisted.h"
#include "cooc_build.h"
#include "cooc_bulk.h"

struct pairs_args {
    struct rank_args rank;
    const char *from, *measures;
};

static const struct opt options[] = {
    OPT_TABLE(struct pairs_args, rank, rank_options),
    OPT_TEXT(struct pairs_args, rank.o.like1, 0, "like1", "PATTERN", NULL,
             "omit pairs without a term that matches PATTERN"),
    OPT_TEXT(struct pairs_args, rank.o.like2, 0, "like2", "PATTERN", NULL,
             "omit pairs unless the other term matches PATTERN"),
    OPT_TITLE("Looking up pairs"),
    OPT_TEXT(struct pairs_args, from, 0, "from", "FILE", NULL,
             "print the pairs listed in FILE, or - for stdin"),
    OPT_TEXT(struct pairs_args, measures, 0, "measures", "LIST", NULL,
             MEASURES_HELP),
    OPT_TITLE("General"),
    OPT_U64(struct pairs_args, rank.limit, 'n', "limit", "N", NULL,
            "print at most N pairs, or all if N is 0"),
    OPT_THREADS(struct pairs_args, rank.o.threads, "use N threads"),
    OPT_END
};

static const struct pairs_args defaults = {
    .rank = RANK_DEFAULTS, .measures = "pmi,npmi,llr,dice,jaccard"
};

/* --from prints the pairs of a file in their order, so it cannot be combined
 * with options that filter or rank. */
static int check(const struct request *q, struct cooc_err *err)
{
    static const char *const of_files[] = { "from", "measures", NULL };
    const struct pairs_args *pairs = q->args;

    if (!pairs->from && strcmp(pairs->measures, defaults.measures) != 0)
        return err_set(err, COOC_EINVAL,
                       "--measures requires --from; to rank all pairs by a "
                       "measure, use --by");
    if (pairs->from && opt_given(options, pairs, &defaults, of_files))
        return err_set(err, COOC_EINVAL,
                       "--from can be combined only with --measures and "
                       "--json, because it prints every pair of the file in "
                       "file order");
    return 0;
}

/* ---- the pairs of a file ------------------------------------------------ */

/* One pair per line: two words with a tab between them, or blanks where there
 * is no tab.  Empty lines and comments ("# ...") are skipped.  A bad line does
 * not stop the query: an unknown word gives a row of zeros, a line that is not
 * a pair is skipped, and notes on stderr report both. */
enum { SHOWN = 60 }; /* bytes of a word that a note quotes */

struct listed_pair {
    struct text_span x, y; /* names of terms, or unknown words */
    struct cooc_pair pair;
    double scores[MEASURES_MAX];
};

static const struct field pair_fields[] = {
    FIELD_BYTES(struct listed_pair, x, "term1"),
    FIELD_BYTES(struct listed_pair, y, "term2"),
    FIELD_COUNT(struct listed_pair, pair.count, "count"),
    FIELD_COUNT(struct listed_pair, pair.fx, "df1"),
    FIELD_COUNT(struct listed_pair, pair.fy, "df2"),
    FIELD_END
};

struct pair_file {
    struct answer *answer;
    struct measure_list measures;
    struct field fields[FIELDS_MAX];
    const char *name;
    uint64_t lines, pairs;
    uint64_t not_pairs, first_not_pair; /* lines */
    uint64_t unknown, first_unknown;    /* pairs, line */
    struct unlisted unlisted;
    char word[SHOWN + 4];
};

/* Find the two words of a line, or its first two columns.  Returns false if
 * the line is not a pair. */
static bool split(const char *line, size_t len, struct text_span *x,
                  struct text_span *y)
{
    const char *tab = memchr(line, '\t', len), *p = NULL;

    ascii_trim(&line, &len, ASCII_SPACE);
    if (tab && (tab < line || tab >= line + len))
        return false; /* nothing before or after the tab */
    for (size_t i = 0; i < len && !tab && !p; i++)
        if (ascii_space(line[i]))
            p = line + i;
    p = tab ? tab : p;
    if (!p)
        return false;
    *x = (struct text_span){ line, (size_t)(p - line) };
    *y = (struct text_span){ p + 1, len - x->len - 1 };
    if (tab && (p = memchr(y->text, '\t', y->len)) != NULL)
        y->len = (size_t)(p - y->text); /* ignore further columns */
    ascii_trim(&x->text, &x->len, ASCII_SPACE);
    ascii_trim(&y->text, &y->len, ASCII_SPACE);
    for (size_t i = 0; i < y->len && !tab; i++)
        if (ascii_space(y->text[i]))
            return false; /* a third word */
    return x->len && y->len;
}

/* Look up the word *w.  If it is a term, set *id and *df and replace *w by the
 * name of the term; otherwise leave *w unchanged. */
static int look_up(struct pair_file *f, struct text_span *w, uint32_t *id,
                   uint64_t *df, bool *known, struct cooc_err *err)
{
    struct cooc *db = f->answer->db;
    struct cooc_err why = { 0 };
    int rc = cooc_term_lookup(db, w->text, w->len, id, known, &why);

    if (rc < 0 && unlisted_is(&why)) {
        unlisted_add(&f->unlisted, w->text, w->len);
        *known = false;
        return 0;
    }
    if (rc < 0)
        return err_copy(err, &why);
    if (rc == 0 && *known)
        rc = cooc_term_df(db, *id, df, err);
    if (rc == 0 && *known)
        rc = answer_name(f->answer, *id, w, err);
    if (rc == 0 && !*known && !f->first_unknown) {
        f->first_unknown = f->lines;
        snprintf(f->word, sizeof f->word, "%.*s%s",
                 (int)(w->len > SHOWN ? SHOWN : w->len), w->text,
                 w->len > SHOWN ? "..." : "");
    }
    return rc;
}

/* Whether the line is the header of a table that cooc has written. */
static bool is_header(const struct text_span *x, const struct text_span *y)
{
    return x->len == 5 && y->len == 5 && !memcmp(x->text, "term1", 5) &&
           !memcmp(y->text, "term2", 5);
}

static int do_line(struct pair_file *f, const char *line, size_t len,
                   struct cooc_err *err)
{
    struct listed_pair p = { 0 };
    bool x_known, y_known;
    int rc;

    if (!split(line, len, &p.x, &p.y)) {
        if (!f->not_pairs++)
            f->first_not_pair = f->lines;
        return 0;
    }
    if (f->lines == 1 && is_header(&p.x, &p.y))
        return 0;
    f->pairs++;
    rc = look_up(f, &p.x, &p.pair.x, &p.pair.fx, &x_known, err);
    if (rc == 0)
        rc = look_up(f, &p.y, &p.pair.y, &p.pair.fy, &y_known, err);
    if (rc < 0 || f->unlisted.n) /* there will be no more rows */
        return rc;
    if (x_known && y_known) {
        rc = cooc_pair_get(f->answer->db, p.pair.x, p.pair.y, &p.pair, err);
        measure_list_scores(&f->measures, &p.pair, p.scores);
    } else {
        f->unknown++;
        for (size_t i = 0; i < f->measures.n; i++)
            p.scores[i] = NAN;
    }
    return rc < 0 ? rc : answer_row(f->answer, &p, err);
}

static int do_lines(struct pair_file *f, FILE *from, struct cooc_err *err)
{
    char *text = NULL;
    size_t cap = 0;
    ssize_t n;
    int rc = 0;

    errno = 0;
    while (rc == 0 && (n = getline(&text, &cap, from)) > 0) {
        size_t mark = f->lines++ ? 0 : list_mark(text, (size_t)n);

        if (list_says(text + mark, (size_t)n - mark))
            rc = do_line(f, text + mark, (size_t)n - mark, err);
    }
    if (rc == 0 && ferror(from))
        rc = err_path(err, COOC_EIO, f->name, "cannot read: %s",
                      strerror(errno));
    free(text);
    return rc;
}

static void note_losses(const struct pair_file *f)
{
    if (f->unknown)
        answer_note("%s: %" PRIu64 " of %" PRIu64 " %s %s a word "
                    "that is in no document (count 0); the first is '%s' in "
                    "line %" PRIu64, f->name, f->unknown, f->pairs,
                    plural(f->pairs, "pair", "pairs"),
                    plural(f->unknown, "has", "have"), f->word,
                    f->first_unknown);
    if (f->not_pairs)
        answer_note("%s: %" PRIu64 " %s not two words and %s "
                    "skipped (the first is line %" PRIu64 "); put a tab "
                    "between the words", f->name, f->not_pairs,
                    plural(f->not_pairs, "line is", "lines are"),
                    plural(f->not_pairs, "was", "were"), f->first_not_pair);
}

static int answer_file(struct answer *a, const char *path,
                       const char *measures, struct cooc_err *err)
{
    bool standard = !strcmp(path, "-");
    struct pair_file f = { .answer = a,
                           .name = standard ? "standard input" : path };
    int rc = measure_list_parse(&f.measures, measures, err);
    FILE *from;

    if (rc < 0)
        return rc;
    from = standard ? stdin : fopen(path, "re");
    if (!from)
        return err_path(err, COOC_EIO, path, "cannot open: %s",
                        strerror(errno));
    fields_add(f.fields, pair_fields);
    measure_list_fields(&f.measures, offsetof(struct listed_pair, scores),
                        f.fields);
    answer_list(a, NULL, f.fields);
    rc = do_lines(&f, from, err);
    if (!standard)
        fclose(from);
    if (rc == 0)
        rc = answer_list_end(a, err);
    if (rc == 0 && f.unlisted.n)
        return unlisted_error(&f.unlisted, f.name, err);
    note_losses(&f);
    return rc;
}

/* ---- the strongest pairs ------------------------------------------------ */

static int ask_strongest(struct answer *a, const struct pairs_args *pairs,
                         struct cooc_err *err)
{
    struct cooc_list exclude = COOC_LIST;
    struct cooc_hit *hits = NULL;
    struct cooc_rank_options ranking;
    struct cooc_watch watch;
    size_t n;
    int rc = rank_args_take(&pairs->rank, a->db, &ranking, &exclude, err);

    if (rc == 0) {
        watch = a->start(a, false);
        ranking.watch = &watch;
        rc = cooc_pairs(a->db, &ranking, &hits, &n, err);
        rc = a->finish(a, rc, err);
    }
    if (rc == 0)
        rc = answer_hits(a, pair_hit_fields, ranking.scoring.measure, hits, n,
                         err);
    cooc_free(hits);
    cooc_free(exclude.terms);
    return rc;
}

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct pairs_args *pairs = q->args;

    return pairs->from
               ? answer_file(a, pairs->from, pairs->measures, err)
               : ask_strongest(a, pairs, err);
}

const struct question question_pairs = {
    .usage = {
        .name = "pairs", .min = 1, .max = 1,
        .args = "[options] NAME.cooc",
        .summary = "list the strongest pairs of a store, or look up the "
                   "pairs in a file",
        .details = "Without --from, ranks all pairs of a counted store. "
                   "Ranked by count, pairs of common words come first; --by "
                   "llr, or --by npmi with --min-count, brings up the "
                   "characteristic pairs. With --like1 and --like2, one "
                   "term of a pair matches the first pattern and the other "
                   "one the second, in either column; with one of the "
                   "options, at least one term matches. Patterns are those "
                   "of 'cooc terms --like'.\n\n"
                   "With --from, prints the pairs of FILE in file order, "
                   "and also works on a store that is only indexed. Each "
                   "line of FILE has two terms, separated by a tab, or by "
                   "white space if there is no tab and they are single "
                   "words; lines that begin with '# "
                   "' are comments. Only --measures and --json can be "
                   "combined with --from; --measures requires --from.",
        .output = "One row per pair, with these columns:\n"
                  "- term1, term2: the terms; in a ranked list, term1 is "
                  "more frequent\n"
                  "- count: number of documents that contain both\n"
                  "- df1, df2: number of documents that contain term1, and "
                  "that contain term2\n"
                  "and the measures. In the formulas of 'cooc measures', "
                  "term1 is x and term2 is y. With --from, a word that is in "
                  "no document has df 0 and its measures are nan.",
        .examples = "cooc pairs news.cooc\n"
                    "cooc pairs news.cooc --by npmi --min-count 20 -n 100\n"
                    "cooc pairs news.cooc --by llr --exclude names.txt\n"
                    "cooc pairs papers.cooc --like1 'au:*' --like2 'kw:*' "
                    "--by npmi\n"
                    "cooc pairs news.cooc --from pairs.tsv --measures "
                    "npmi,llr\n",
        .options = options, .size = sizeof(struct pairs_args),
        .defaults = &defaults,
    },
    .stems = true,
    .check = check,
    .ask = ask,
};
