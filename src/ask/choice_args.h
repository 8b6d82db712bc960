/* choice_args.h - the options by which pairs are chosen and ranked. */
#ifndef COOC_ASK_CHOICE_ARGS_H
#define COOC_ASK_CHOICE_ARGS_H

#include "ask/answer.h"
#include "cooc_bulk.h"

/* A measure and how to take it. */
struct by_args {
    const char *by;
    bool reverse;
    double shift, smoothing; /* NAN: not given */
};

extern const struct opt by_options[];
#define BY_DEFAULTS { .by = "count", .shift = NAN, .smoothing = NAN }

int by_args_take(const struct by_args *a, struct cooc_scoring *by,
                 struct cooc_err *err);

/* That, and which pairs. */
struct choice_args {
    struct cooc_rank_options
        o;                /* limit, by and exclude come from those below */
    uint64_t limit;       /* its option is up to the question */
    struct by_args by;
    const char *exclude_file;
};

extern const struct opt choice_options[];
#define CHOICE_DEFAULTS                                                      \
    { .o = { .min_count = 1, .min_score = NAN }, .limit = 20,                \
      .by = BY_DEFAULTS }

/* *choice points into *exclude, which the caller releases. */
int choice_args_take(const struct choice_args *a, struct cooc *db,
                     struct cooc_rank_options *choice,
                     struct cooc_list *exclude, struct cooc_err *err);

/* The strongest pairs or partners as a list: fields of struct cooc_hit, and a
 * column for the measure unless it is the count. */
int answer_hits(struct answer *a, const struct field *fields,
                const struct cooc_measure *by, const struct cooc_hit *hits,
                size_t n, struct cooc_err *err);

extern const struct field pair_hit_fields[]; /* term1 term2 count df1 df2 */

#endif
