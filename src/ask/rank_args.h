/* rank_args.h - the options that filter and rank pairs. */
#ifndef COOC_ASK_RANK_ARGS_H
#define COOC_ASK_RANK_ARGS_H

#include "ask/answer.h"
#include "cooc_bulk.h"

/* A measure and its parameters. */
struct scoring_args {
    const char *by;
    bool reverse;
    double shift, smoothing; /* NAN: not set */
};

extern const struct opt scoring_options[]; /* without --by */
#define SCORING_DEFAULTS { .by = "count", .shift = NAN, .smoothing = NAN }

int scoring_args_take(const struct scoring_args *a, struct cooc_scoring *by,
                      struct cooc_err *err);

/* A measure and the filters for pairs. */
struct rank_args {
    struct cooc_rank_options
        o;                /* limit, scoring and exclude are set by
                           * rank_args_take() from the members below */
    uint64_t limit;       /* each question defines the option itself */
    struct scoring_args by;
    const char *exclude_file;
};

extern const struct opt rank_options[];
#define RANK_DEFAULTS                                                        \
    { .o = { .min_count = 1, .min_score = NAN }, .limit = 20,                \
      .by = SCORING_DEFAULTS }

/* Fill *options from the arguments and read the --exclude file into *exclude.
 * *options points into *exclude, which the caller releases. */
int rank_args_take(const struct rank_args *a, struct cooc *db,
                   struct cooc_rank_options *options,
                   struct cooc_list *exclude, struct cooc_err *err);

/* Print pairs or partners as a list: the given fields of struct cooc_hit, and a
 * column for the measure unless it is the count. */
int answer_hits(struct answer *a, const struct field *fields,
                const struct cooc_measure *by, const struct cooc_hit *hits,
                size_t n, struct cooc_err *err);

extern const struct field pair_hit_fields[]; /* term1 term2 count df1 df2 */

#endif
