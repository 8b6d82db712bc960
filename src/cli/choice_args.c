/* choice_args.c - the options by which pairs are chosen and ranked. */
#include "cli/choice_args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/fail.h"
#include "cli/nearest.h"
#include "cli/shared.h"
#include "cli/text.h"

static void make_measure_table(struct choice_args *a)
{
    const struct opt table[] = {
        OPT_TEXT(0, "by", &a->by, "MEASURE", NULL,
                 "rank by this; 'cooc measures' lists them all"),
        OPT_FLAG(0, "reverse", &a->reverse,
                 "take a directed measure from term2 to term1"),
        OPT_REAL(0, "shift", &a->shift, "K", "1",
                 "pmi, ppmi: subtract log2 K"),
        OPT_REAL(0, "smoothing", &a->smoothing, "S", "1",
                 "pmi, ppmi: raise the df of term2 to S, as 0.75"),
        OPT_END,
    };

    _Static_assert(sizeof table <= sizeof a->measure, "too small");
    memcpy(a->measure, table, sizeof table);
}

static void make_table(struct choice_args *a, const char *limit_help)
{
    const struct opt table[] = {
        OPT_U64('n', "limit", &a->limit, "N", NULL, limit_help),
        OPT_TABLE(a->measure),
        OPT_U64(0, "min-count", &a->min_count, "K", NULL,
                "only pairs that meet in K documents or more"),
        OPT_REAL(0, "min-score", &a->min_score, "S", "any",
                 "only pairs at least as strong as S"),
        OPT_U64(0, "min-df", &a->min_df, "N", "any",
                "only terms in N documents or more"),
        OPT_U64(0, "max-df", &a->max_df, "N", "any",
                "only terms in N documents or fewer"),
        OPT_TEXT(0, "exclude", &a->exclude_file, "FILE", NULL,
                 "leave out the terms of this file, one a line"),
        OPT_END,
    };

    _Static_assert(sizeof table <= sizeof a->opts, "too small");
    memcpy(a->opts, table, sizeof table);
}

void choice_args_init(struct choice_args *a, const char *limit_help)
{
    *a = (struct choice_args){ .by = cooc_measure(0)->name, .shift = NAN,
                               .smoothing = NAN, .min_score = NAN,
                               .limit = 20, .min_count = 1 };
    make_measure_table(a);
    make_table(a, limit_help);
}

int find_measure(const char *option, const char *name,
                 const struct cooc_measure **m, struct cooc_err *err)
{
    const struct cooc_measure *one;
    struct nearest near;
    int rc = cooc_measure_find(name, m, err);

    if (rc == 0)
        return 0;
    nearest_init(&near, name);
    for (unsigned i = 0; (one = cooc_measure(i)) != NULL; i++)
        nearest_try(&near, one->name);
    if (near.best)
        return fail(err, COOC_EINVAL,
                    "--%s: unknown measure '%.80s'; did you mean '%s'? "
                    "'cooc measures' lists them all", option, name,
                    near.best);
    return rc;
}

/* 0 is unset for the library, so it may not be given. */
static int above_zero(const char *option, double given, double *to,
                      struct cooc_err *err)
{
    if (isnan(given))
        return 0;
    if (!(given > 0))
        return fail(err, COOC_EINVAL, "--%s must be above 0, not %g", option,
                    given);
    *to = given;
    return 0;
}

int choice_args_by(const struct choice_args *a, struct cooc_by *by,
                   struct cooc_err *err)
{
    int rc;

    *by = (struct cooc_by){ .reverse = a->reverse };
    rc = find_measure("by", a->by, &by->measure, err);
    if (rc == 0)
        rc = above_zero("shift", a->shift, &by->shift, err);
    if (rc == 0)
        rc = above_zero("smoothing", a->smoothing, &by->smoothing, err);
    if (rc == 0 && a->reverse && !by->measure->directed &&
        (!(by->smoothing > 0) || by->smoothing == 1))
        rc = fail(err, COOC_EINVAL, "--reverse: %s is the same in both "
                  "directions", a->by);
    return rc;
}

void warn_unknown(const char *file, const struct cooc_list *list)
{
    size_t all = list->unknown + list->n;

    if (!list->unknown)
        return;
    fprintf(stderr, "cooc: %s: %zu of %zu %s %s in no document; the "
            "first is '", file,
            list->unknown, all, plural(all, "word", "words"),
            plural(list->unknown, "is", "are"));
    text_terminal(stderr, list->first_unknown, strlen(list->first_unknown));
    fputs("'\n", stderr);
}

int choice_args_choice(struct choice_args *a, struct cooc *db, uint64_t total,
                       struct cooc_choice *choice, struct cooc_err *err)
{
    int rc;

    cooc_choice_init(choice);
    rc = choice_args_by(a, &choice->by, err);
    if (rc == 0 && a->exclude_file) {
        rc = cooc_list_read(db, a->exclude_file, &a->exclude, err);
        if (rc == 0)
            warn_unknown(a->exclude_file, &a->exclude);
    }
    choice->exclude = a->exclude.ids;
    choice->n_exclude = a->exclude.n;
    choice->min_count = a->min_count;
    choice->min_score = a->min_score;
    choice->min_df = a->min_df;
    choice->max_df = a->max_df;
    choice->limit = list_limit(a->limit, total);
    return rc;
}

void choice_args_release(struct choice_args *a)
{
    cooc_list_release(&a->exclude);
}
