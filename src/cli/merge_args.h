/* merge_args.h - what "merge" and "add" have in common. */
#ifndef COOC_CLI_MERGE_ARGS_H
#define COOC_CLI_MERGE_ARGS_H

#include "cli/opt.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/shared.h"

struct run_stats;

struct merge_args {
    struct cooc_merge_options o;
    const char *pairs_from; /* "rows", "documents" or NULL */
    const char *rows;       /* "all", "costly" or NULL */
    struct opt opts[9];
};

/* Make the table; a must stay where it is.  rows_unset: the help's words for
 * the rows that are written by default. */
void merge_args_init(struct merge_args *a, const char *rows_unset);

/* Set a->o from what was parsed; p is made ready and watches. */
void merge_args_take(struct merge_args *a, const struct run_args *run,
                     struct progress *p, struct run_stats *stats);

/* Facts of the new store. */
void report_merge(struct out *o, const struct cooc_merge_report *r);

/* The same, for --stats-json. */
struct merge_facts {
    const char *command, *store;
    const struct cooc_index_report *indexed; /* or NULL */
    const struct cooc_merge_report *merged;
};

void report_merge_run(struct out *o, const void *merge_facts);

#endif
