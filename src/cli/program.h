/* program.h - what differs between the programs that are made of this folder:
 *
 *     cooc        program_cooc.c    all commands
 *     cooc-mpi    program_mpi.c     count and index, run by the ranks of an MPI
 *                                   job; each of them executes main()
 */
#ifndef COOC_CLI_PROGRAM_H
#define COOC_CLI_PROGRAM_H

#include "cli/cmd.h"
#include "cooc_build.h"

struct program {
    const char *name;
    const char *usage; /* how to start it */
    const struct cmd *commands;
    size_t n_commands;
    const char *introduction, *conclusion; /* of its help */
    const char *kept; /* what is left when indexing is interrupted */
    /* cooc_index() and cooc_count(), or functions that do the same. */
    int (*index)(const char *const *inputs, size_t n_inputs,
                 const char *store, const struct cooc_index_options *options,
                 struct cooc_index_report *report, struct cooc_err *err);
    int (*count)(const char *store, const struct cooc_count_options *options,
                 struct cooc_count_report *report, struct cooc_err *err);
};

extern const struct program program;

/* Called once, before the command is run. */
int program_start(int argc, char **argv, struct cooc_err *err);

/* Whether another process prints reports, progress and errors. */
bool program_silent(void);

/* Called after the command, which returned rc: returns the result of the whole
 * program.  The text of the error is empty if another process prints it. */
int program_settle(int rc, struct cooc_err *err);

/* Add facts about the processes to the report of a job; each: also about each
 * single process. */
int program_report(struct answer *a, bool each, struct cooc_err *err);

/* Called last, after everything has been printed. */
void program_end(void);

#endif
