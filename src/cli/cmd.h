/* cmd.h - commands: a command is a job or a question.
 *
 *     a job        options -> run()                  cmd_x.c
 *     a question   options -> ask() -> an answer     ask/ask_x.c
 */
#ifndef COOC_CLI_CMD_H
#define COOC_CLI_CMD_H

#include "ask/ask.h"

enum cmd_group { CMD_MAKE, CMD_ASK, CMD_KEEP, CMD_GROUPS };

struct job {
    struct usage usage;
    int (*run)(void *args, int argc, char **argv, struct cooc_err *err);
};

/* Output options that are shared by all questions. */
struct output_args {
    bool stems, json;
    bool matrix; /* only for "within" */
};

/* A special output form of a question. */
struct printer {
    const struct opt *options; /* set struct output_args; may be NULL */
    /* Checks that the options can be combined; may be NULL. */
    int (*check)(const struct output_args *form, const void *args,
                 struct cooc_err *err);
    /* Prints the answer and sets *done, or leaves *done false; then the
     * question prints as usual.  May be NULL. */
    int (*print)(struct answer *a, const struct request *q,
                 const struct output_args *form, bool *done,
                 struct cooc_err *err);
};

extern const struct printer printer_measures, printer_matrix;

#define JSON_LINES "print one JSON object per line"

struct cmd {
    enum cmd_group group;
    const struct job *job;
    const struct question *question;
    const struct printer *printer; /* NULL: the usual output */
};

static inline const struct usage *cmd_usage(const struct cmd *cmd)
{
    return cmd->job ? &cmd->job->usage : &cmd->question->usage;
}

/* Run a command; argv starts after its name.  Returns 0 on success, 1 if the
 * help was printed, or a negative error; COOC_EINVAL is wrong usage. */
int cmd_run(const struct cmd *cmd, int argc, char **argv,
            struct cooc_err *err);

extern const struct job job_index, job_count, job_merge, job_add, job_export,
    job_dump, job_check;

#endif
