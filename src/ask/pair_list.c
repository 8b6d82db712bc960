/* pair_list.c - questions about all pairs of lists: "between" and "within".
 *
 * Rows are handed out as they come, or, to be ranked, kept until the end.
 */
#include "ask/pair_list.h"

#include <math.h>

#include "ask/words.h"
#include "base/err.h"

enum { WATCH_EVERY = 4096, ENOUGH = 1 };

const struct opt pair_list_options[] = {
    OPT_TEXT(struct pair_list_args, measures, 0, "measures", "LIST", NULL,
             MEASURES_HELP),
    OPT_TEXT(struct pair_list_args, by, 0, "by", "MEASURE",
             "order of the lists", "strongest first by this"),
    OPT_U64(struct pair_list_args, limit, 'n', "limit", "N", "all",
            "print at most N pairs"),
    OPT_U64(struct pair_list_args, min_count, 0, "min-count", "K", NULL,
            "only pairs that meet in K documents or more"),
    OPT_FLAG(struct pair_list_args, adjust, 0, "adjust",
             "add p times the number of pairs (Bonferroni)"),
    OPT_STEMS(struct pair_list_args, stems),
    OPT_END
};

const struct pair_list_args pair_list_defaults = {
    .measures = "pmi,npmi,llr,fisher"
};

struct tested_pair {
    struct cooc_pair pair;
    uint64_t b, c, d;
    double expected, p, adjusted; /* the last two as powers of 10 */
    double scores[MEASURES_MAX];
};

static const struct field cell_fields[] = {
    FIELD_TERM(struct tested_pair, pair.x, "term1"),
    FIELD_TERM(struct tested_pair, pair.y, "term2"),
    FIELD_COUNT(struct tested_pair, pair.count, "a"),
    FIELD_COUNT(struct tested_pair, b, "b"),
    FIELD_COUNT(struct tested_pair, c, "c"),
    FIELD_COUNT(struct tested_pair, d, "d"),
    FIELD_REAL(struct tested_pair, expected, "expected", 2),
    FIELD_END
};
static const struct field p_fields[] = {
    FIELD_POWER(struct tested_pair, p, "p"), FIELD_END
};
static const struct field adjusted_fields[] = {
    FIELD_POWER(struct tested_pair, adjusted, "p adjusted"), FIELD_END
};

/* Find the measures that were asked for. */
static int find_measures(struct pair_list *l,
                         const struct pair_list_args *args,
                         struct cooc_err *err)
{
    int rc = measure_list_parse(&l->measures, args->measures, err);

    if (rc == 0 && args->by)
        rc = find_measure("by", args->by, &l->rank.by, err);
    if (rc == 0 && args->by && l->rank.by != cooc_measure(0))
        rc = measure_list_add(&l->measures, l->rank.by, err);
    return rc == 0 ? cooc_measure_find("fisher", &l->fisher, err) : rc;
}

int pair_list_check(const void *args, struct cooc_err *err)
{
    struct pair_list l;

    return find_measures(&l, args, err);
}

int pair_list_begin(struct pair_list *l, const struct pair_list_args *args,
                    struct answer *a, uint64_t total, struct cooc_err *err)
{
    int rc;

    *l = (struct pair_list){ .answer = a, .args = args, .total = total };
    rc = find_measures(l, args, err);
    if (rc < 0)
        return rc;
    l->rank.limit = limit_of(args->limit, total);
    fields_add(l->fields, cell_fields);
    measure_list_fields(&l->measures, offsetof(struct tested_pair, scores),
                        l->fields);
    fields_add(l->fields, p_fields);
    if (args->adjust && total)
        fields_add(l->fields, adjusted_fields);
    l->watch = a->form->start(a, !args->by);
    if (!args->by)
        answer_list(a, NULL, l->fields);
    return 0;
}

static int tell(struct pair_list *l, struct cooc_err *err)
{
    const struct cooc_progress now = { .phase = "pairing", .unit = "pairs",
                                       .done = l->done, .total = l->total,
                                       .pairs = l->done };

    if (l->watch.progress(l->watch.self, &now))
        return err_set(err, COOC_ECANCELLED, "interrupted");
    return 0;
}

static int answer_pair(struct pair_list *l, const struct cooc_pair *p,
                       struct cooc_err *err)
{
    double minus_log = cooc_score(p, l->fisher);
    struct tested_pair t = {
        .pair = *p, .b = p->df_x - p->count, .c = p->df_y - p->count,
        .expected = (double)p->df_x * (double)p->df_y / (double)p->documents,
        .p = -minus_log,
        .adjusted = fmin(0, log10((double)l->total) - minus_log),
    };

    t.d = p->documents - p->df_x - t.c;
    for (size_t i = 0; i < l->measures.n; i++)
        t.scores[i] = l->measures.m[i] == l->fisher
                          ? minus_log
                          : cooc_score(p, l->measures.m[i]);
    return answer_row(l->answer, &t, err);
}

int pair_list_pair(void *self, const struct cooc_pair *pair,
                   struct cooc_err *err)
{
    struct pair_list *l = self;
    int rc = 0;

    if (l->watch.progress && l->done++ % WATCH_EVERY == 0)
        rc = tell(l, err);
    if (rc < 0 || pair->count < l->args->min_count)
        return rc;
    if (l->args->by)
        return pair_rank_add(&l->rank, pair, err);
    rc = answer_pair(l, pair, err);
    if (rc == 0 && l->args->limit && ++l->shown == l->args->limit)
        return ENOUGH;
    return rc;
}

int pair_list_end(struct pair_list *l, int rc, struct cooc_err *err)
{
    rc = l->answer->form->finish(l->answer, rc, err);
    if (rc >= 0) {
        rc = 0;
        if (l->args->by)
            answer_list(l->answer, NULL, l->fields);
        pair_rank_sort(&l->rank);
        for (size_t i = 0; i < l->rank.n && rc == 0; i++)
            rc = answer_pair(l, &l->rank.pairs[i].pair, err);
    }
    pair_rank_release(&l->rank);
    return rc < 0 ? rc : answer_list_end(l->answer, err);
}
