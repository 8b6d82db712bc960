/* cmd.h - what a command is: a job of its own, or a question and its answer.
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

/* How to print, whatever the question. */
struct output_args {
    bool stems, json;
    bool matrix; /* within */
};

/* A question that can be printed in a form of its own. */
struct printer {
    const struct opt *options; /* more, for struct output_args; may be NULL */
    /* What goes together; may be NULL. */
    int (*check)(const struct output_args *form, const void *args,
                 struct cooc_err *err);
    /* Print it, or leave it to the question: *done. */
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
    const struct printer *printer; /* NULL: the usual */
};

static inline const struct usage *cmd_usage(const struct cmd *cmd)
{
    return cmd->job ? &cmd->job->usage : &cmd->question->usage;
}

/* argv starts after the command's name.  0: done; > 0: help was shown; < 0:
 * failed, COOC_EINVAL being wrong usage. */
int cmd_run(const struct cmd *cmd, int argc, char **argv,
            struct cooc_err *err);

extern const struct job job_index, job_count, job_merge, job_add, job_export,
    job_dump, job_check;

#endif
