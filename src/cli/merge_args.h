/* merge_args.h - what "merge" and "add" have in common. */
#ifndef COOC_CLI_MERGE_ARGS_H
#define COOC_CLI_MERGE_ARGS_H

#include "cli/run_args.h"

struct merge_args {
    struct cooc_merge_options o;
    const char *pairs_from; /* "rows", "documents" or NULL */
    const char *rows;       /* "all", "costly" or NULL */
};

/* The options for a member merge of struct s; the rows that are written by
 * default differ. */
extern const struct opt from_options[], merge_options[];
#define OPT_MERGE(s, rows_unset)                                             \
    OPT_TABLE(s, merge, from_options), OPT_ROWS(s, merge.rows, rows_unset),  \
    OPT_TABLE(s, merge, merge_options)

/* Set a->o from what was parsed; p is made ready and watches. */
void merge_args_take(struct merge_args *a, const struct run_args *run,
                     struct progress *p, struct run_stats *stats);

#endif
