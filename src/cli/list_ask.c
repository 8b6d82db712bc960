/* list_ask.c - questions about all pairs of lists: "between" and "within".
 *
 * Rows are printed as they come, or, to be ranked, kept until the end.  How
 * far it is can be told while nothing else is on the terminal.
 */
#include "cli/list_ask.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/choice_args.h"
#include "cli/fail.h"
#include "cli/shared.h"

enum { WATCH_EVERY = 4096, ENOUGH = 1 };

void list_ask_init(struct list_ask *a)
{
    *a = (struct list_ask){ .measure_names = "pmi,npmi,llr,fisher" };
    const struct opt table[] = {
        OPT_TEXT(0, "measures", &a->measure_names, "LIST", NULL,
                 MEASURES_HELP),
        OPT_TEXT(0, "by", &a->by, "MEASURE", "order of the lists",
                 "strongest first by this"),
        OPT_U64('n', "limit", &a->limit, "N", "all",
                "print at most N pairs"),
        OPT_U64(0, "min-count", &a->min_count, "K", NULL,
                "only pairs that meet in K documents or more"),
        OPT_FLAG(0, "adjust", &a->adjust,
                 "add p times the number of pairs (Bonferroni)"),
        OPT_STEMS(&a->stems),
        OPT_FLAG(0, "json", &a->json, JSON_LINES),
        OPT_END,
    };

    _Static_assert(sizeof table <= sizeof a->opts, "too small");
    memcpy(a->opts, table, sizeof table);
}

int list_ask_read(struct cooc *db, const char *path, struct cooc_list *out,
                  struct cooc_err *err)
{
    int rc = cooc_list_read(db, path, out, err);

    if (rc < 0)
        return rc;
    if (!out->n && out->unknown)
        return fail(err, COOC_ENOTFOUND,
                    "%s: %zu of %zu %s %s in no document; the first is '%s'",
                    path, out->unknown, out->unknown,
                    plural(out->unknown, "word", "words"),
                    plural(out->unknown, "is", "are"), out->first_unknown);
    if (!out->n)
        return fail(err, COOC_ENOTFOUND, "%s: no words; write one per line",
                    path);
    warn_unknown(path, out);
    return 0;
}

/* Nothing else is written to the terminal meanwhile. */
static bool may_tell(const struct list_ask *a)
{
    struct stat to;

    return a->by ||
           (fstat(STDOUT_FILENO, &to) == 0 && S_ISREG(to.st_mode));
}

int list_ask_measures(struct list_ask *a, struct cooc_err *err)
{
    int rc = measure_list_parse(&a->measures, a->measure_names, err);

    if (rc == 0 && a->by)
        rc = find_measure("by", a->by, &a->rank.by, err);
    if (rc == 0 && a->by && a->rank.by != cooc_measure(0))
        rc = measure_list_add(&a->measures, a->rank.by, err);
    return rc;
}

void list_ask_begin(struct list_ask *a, struct cooc *db, uint64_t total)
{
    a->total = total;
    a->rank.limit = list_limit(a->limit, total);
    a->watched = may_tell(a);
    if (a->watched)
        progress_init(&a->progress, false);
    out_init(&a->table.out, stdout, out_form(a->json));
    a->table.db = db;
    a->table.form = PAIR_CELLS;
    a->table.measures = &a->measures;
    a->table.tests = a->adjust ? (double)total : 0;
    if (!a->by)
        pair_out_begin(&a->table);
}

static int tell(struct list_ask *a, struct cooc_err *err)
{
    const struct cooc_progress now = { .phase = "pairing", .unit = "pairs",
                                       .done = a->done, .total = a->total,
                                       .pairs = a->done };
    struct cooc_watch watch = progress_watch(&a->progress);

    if (watch.progress(watch.self, &now))
        return fail(err, COOC_ECANCELLED, "interrupted");
    return 0;
}

int list_ask_pair(void *self, const struct cooc_pair *pair,
                  struct cooc_err *err)
{
    struct list_ask *a = self;
    int rc = 0;

    if (a->watched && a->done++ % WATCH_EVERY == 0)
        rc = tell(a, err);
    if (rc < 0 || pair->count < a->min_count)
        return rc;
    if (a->by)
        return pair_rank_add(&a->rank, pair, err);
    rc = pair_out_row(&a->table, pair, err);
    if (rc == 0 && a->limit && ++a->printed == a->limit)
        return ENOUGH;
    return rc;
}

int list_ask_end(struct list_ask *a, int rc, struct cooc_err *err)
{
    if (a->watched)
        rc = progress_answered(&a->progress, rc, err);
    if (rc < 0)
        return rc;
    rc = 0;
    if (a->by)
        pair_out_begin(&a->table);
    pair_rank_sort(&a->rank);
    for (size_t i = 0; i < a->rank.n && rc == 0; i++)
        rc = pair_out_row(&a->table, &a->rank.pairs[i].pair, err);
    return rc < 0 ? rc : pair_out_end(&a->table, err);
}

void list_ask_release(struct list_ask *a)
{
    pair_rank_release(&a->rank);
    pair_out_release(&a->table);
}
