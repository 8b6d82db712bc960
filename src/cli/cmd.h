/* cmd.h - what a subcommand is; one file each, cmd_x.c. */
#ifndef COOC_CLI_CMD_H
#define COOC_CLI_CMD_H

#include "cooc.h"

enum cmd_group { CMD_MAKE, CMD_ASK, CMD_KEEP, CMD_GROUPS };

struct cmd {
    const char *name;
    enum cmd_group group;
    const char *args;     /* usage lines, split by '\n' */
    const char *summary;  /* one line, no capital, no full stop */
    const char *details;  /* NULL, or a paragraph for the help */
    const char *examples; /* lines, each with its '\n' */

    /* argv starts behind the command's name.  0: done; > 0: help was
     * shown; < 0: failed, COOC_EINVAL being wrong usage. */
    int (*run)(int argc, char **argv, struct cooc_err *err);
};

extern const struct cmd cmd_index, cmd_count, cmd_merge, cmd_add, cmd_methods;
extern const struct cmd cmd_stats, cmd_pair, cmd_top, cmd_pairs, cmd_docs;
extern const struct cmd cmd_between, cmd_within, cmd_row, cmd_terms;
extern const struct cmd cmd_measures, cmd_export, cmd_dump, cmd_check;

#endif
