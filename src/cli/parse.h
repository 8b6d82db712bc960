/* parse.h - parse the command line with a table of options; print the help.
 *
 *     --name value   --name=value   -n value   -nvalue
 *
 * Options and arguments may be mixed; "--" ends the options.
 */
#ifndef COOC_CLI_PARSE_H
#define COOC_CLI_PARSE_H

#include <stdio.h>

#include "ask/ask.h"

/* Set args from the options, and leave only the other arguments in argv; their
 * number is checked against the usage.  Returns 0, 1 if there is a --help, or
 * COOC_EINVAL. */
int parse(int *argc, char **argv, const struct usage *usage,
          const struct opt *table, void *args, struct cooc_err *err);

/* Print the help of a command, at most 80 columns wide. */
void help_print(FILE *to, const struct usage *usage, const struct opt *table,
                const void *defaults);

#endif
