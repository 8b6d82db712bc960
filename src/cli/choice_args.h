/* choice_args.h - the options by which pairs are chosen and ranked. */
#ifndef COOC_CLI_CHOICE_ARGS_H
#define COOC_CLI_CHOICE_ARGS_H

#include "cli/opt.h"
#include "cooc.h"

struct choice_args {
    const char *by;
    bool reverse;
    double shift, smoothing, min_score; /* NAN: not given */
    uint64_t limit, min_count, min_df, max_df;
    const char *exclude_file;
    struct cooc_list exclude;
    struct opt measure[6]; /* --by and what belongs to it */
    struct opt opts[10];   /* these, and which pairs */
};

/* Make the tables; a must stay where it is.*/
void choice_args_init(struct choice_args *a, const char *limit_help);

/* The measure alone. */
int choice_args_by(const struct choice_args *a, struct cooc_by *by,
                   struct cooc_err *err);

/* All of it; total is how many things there can be.  *choice holds pointers
 * into a, which choice_args_release() frees. */
int choice_args_choice(struct choice_args *a, struct cooc *db, uint64_t total,
                       struct cooc_choice *choice, struct cooc_err *err);
void choice_args_release(struct choice_args *a);

/* The measure of that name, the value of --option. */
int find_measure(const char *option, const char *name,
                 const struct cooc_measure **m, struct cooc_err *err);

/* Tell on stderr of words that are no terms. */
void warn_unknown(const char *file, const struct cooc_list *list);

#endif
