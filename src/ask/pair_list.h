/* pair_list.h - questions about all pairs of lists: "between" and "within".
 *
 *     term1 term2 a b c d expected   measures   p
 *
 * a documents hold both terms, b the first alone, c the second alone, d
 * neither; p is the chance to meet in a documents or more: Fisher's exact
 * test, however small it is.
 */
#ifndef COOC_ASK_PAIR_LIST_H
#define COOC_ASK_PAIR_LIST_H

#include "ask/measure_list.h"
#include "ask/pair_rank.h"

struct pair_list_args {
    const char *by, *measures; /* by NULL: in order of the lists */
    uint64_t limit, min_count;
    bool adjust, stems;
};

extern const struct opt pair_list_options[];
extern const struct pair_list_args pair_list_defaults;

struct pair_list {
    struct answer *answer;
    const struct pair_list_args *args;
    const struct cooc_measure *fisher;
    struct measure_list measures;
    struct field fields[FIELDS_MAX];
    struct pair_rank rank;
    struct cooc_watch watch;
    uint64_t done, total, shown;
};

/* Whether the measures exist: struct question's check. */
int pair_list_check(const void *args, struct cooc_err *err);

/* Begin the answer, of total pairs; hand each to pair_list_pair(), a
 * cooc_pair_fn; end it with what came of that. */
int pair_list_begin(struct pair_list *l, const struct pair_list_args *args,
                    struct answer *a, uint64_t total, struct cooc_err *err);
int pair_list_pair(void *self, const struct cooc_pair *pair,
                   struct cooc_err *err);
int pair_list_end(struct pair_list *l, int rc, struct cooc_err *err);

#endif
