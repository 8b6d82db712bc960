/* rank_args.c - the options that filter and rank pairs. */
#include "ask/rank_args.h"

#include <math.h>

#include "ask/measure_list.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "cooc_bulk.h"

const struct opt scoring_options[] = {
    OPT_FLAG(struct scoring_args, reverse, 0, "reverse",
             "swap x and y in a directed measure"),
    OPT_REAL(struct scoring_args, shift, 0, "shift", "K", "1",
             "subtract log2 K from pmi and ppmi"),
    OPT_REAL(struct scoring_args, smoothing, 0, "smoothing", "S", "1",
             "raise the df of y to the power S in pmi and ppmi"),
    OPT_END
};

const struct opt rank_options[] = {
    OPT_TITLE("Ranking"),
    OPT_TEXT(struct rank_args, by.by, 0, "by", "MEASURE", NULL,
             "rank by this measure"),
    OPT_TABLE(struct rank_args, by, scoring_options),
    OPT_TITLE("Filters"),
    OPT_U64(struct rank_args, o.min_count, 0, "min-count", "K", NULL,
            "omit pairs in fewer than K documents"),
    OPT_REAL(struct rank_args, o.min_score, 0, "min-score", "S", "none",
             "omit pairs weaker than S"),
    OPT_U64(struct rank_args, o.min_df, 0, "min-df", "N", "none",
            "omit terms in fewer than N documents"),
    OPT_U64(struct rank_args, o.max_df, 0, "max-df", "N", "none",
            "omit terms in more than N documents"),
    OPT_TEXT(struct rank_args, exclude_file, 0, "exclude", "FILE", NULL,
             "omit the terms listed in FILE, one per line"),
    OPT_END
};

/* Copy an option to *to unless it is NaN (not given).  Values of 0 or less are
 * an error, because 0 means "not set" in the library. */
static int above_zero(const char *option, double given, double *to,
                      struct cooc_err *err)
{
    if (isnan(given))
        return 0;
    if (!(given > 0))
        return err_set(err, COOC_EINVAL, "--%s must be greater than 0, not %g",
                       option, given);
    *to = given;
    return 0;
}

int scoring_args_take(const struct scoring_args *a, struct cooc_scoring *by,
                      struct cooc_err *err)
{
    int rc;

    *by = (struct cooc_scoring){ .reverse = a->reverse };
    rc = find_measure("by", a->by, &by->measure, err);
    if (rc == 0)
        rc = above_zero("shift", a->shift, &by->shift, err);
    if (rc == 0)
        rc = above_zero("smoothing", a->smoothing, &by->smoothing, err);
    if (rc == 0 && a->reverse && !by->measure->directed &&
        (!(by->smoothing > 0) || by->smoothing == 1))
        rc = err_set(err, COOC_EINVAL,
                     "--reverse does not apply to %s, which is the same in "
                     "both directions", a->by);
    return rc;
}

int rank_args_take(const struct rank_args *a, struct cooc *db,
                   struct cooc_rank_options *options,
                   struct cooc_list *exclude, struct cooc_err *err)
{
    int rc;

    *options = a->o;
    options->size = sizeof *options;
    rc = scoring_args_take(&a->by, &options->scoring, err);
    if (rc == 0 && a->exclude_file)
        rc = read_terms(db, a->exclude_file, false, exclude, err);
    options->exclude = exclude->terms;
    options->n_exclude = exclude->n;
    options->has_min_score = !isnan(a->o.min_score);
    if (!options->has_min_score)
        options->min_score = 0;
    options->limit = a->limit ? limit_of(a->limit) : COOC_ALL;
    return rc;
}

const struct field pair_hit_fields[] = {
    FIELD_TERM(struct cooc_hit, pair.x, "term1"),
    FIELD_TERM(struct cooc_hit, pair.y, "term2"),
    FIELD_COUNT(struct cooc_hit, pair.count, "count"),
    FIELD_COUNT(struct cooc_hit, pair.fx, "df1"),
    FIELD_COUNT(struct cooc_hit, pair.fy, "df2"),
    FIELD_END
};

int answer_hits(struct answer *a, const struct field *fields,
                const struct cooc_measure *by, const struct cooc_hit *hits,
                size_t n, struct cooc_err *err)
{
    const struct measure_list one = { .m = { by },
                                      .n = by != cooc_measure_get(0) };
    struct field all[FIELDS_MAX] = { FIELD_END };

    fields_add(all, fields);
    measure_list_fields(&one, offsetof(struct cooc_hit, score), all);
    return answer_rows(a, NULL, all, hits, sizeof *hits, n, err);
}
