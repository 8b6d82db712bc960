/* rank_args.h - the options by which pairs are chosen and ranked. */
#ifndef COOC_ASK_RANK_ARGS_H
#define COOC_ASK_RANK_ARGS_H

#include "ask/answer.h"
#include "cooc_bulk.h"

/* A measure and how to take it. */
struct scoring_args {
    const char *by;
    bool reverse;
    double shift, smoothing; /* NAN: not given */
};

extern const struct opt scoring_options[]; /* without --by */
#define SCORING_DEFAULTS { .by = "count", .shift = NAN, .smoothing = NAN }

int scoring_args_take(const struct scoring_args *a, struct cooc_scoring *by,
                      struct cooc_err *err);

/* That, and which pairs. */
struct rank_args {
    struct cooc_rank_options
        o;                /* limit, by and exclude come from those below */
    uint64_t limit;       /* its option is up to the question */
    struct scoring_args by;
    const char *exclude_file;
};

extern const struct opt rank_options[];
#define RANK_DEFAULTS                                                        \
    { .o = { .min_count = 1, .min_score = NAN }, .limit = 20,                \
      .by = SCORING_DEFAULTS }

/* *options points into *exclude, which the caller releases. */
int rank_args_take(const struct rank_args *a, struct cooc *db,
                   struct cooc_rank_options *options,
                   struct cooc_list *exclude, struct cooc_err *err);

/* The strongest pairs or partners as a list: fields of struct cooc_hit, and a
 * column for the measure unless it is the count. */
int answer_hits(struct answer *a, const struct field *fields,
                const struct cooc_measure *by, const struct cooc_hit *hits,
                size_t n, struct cooc_err *err);

extern const struct field pair_hit_fields[]; /* term1 term2 count df1 df2 */

#endif
