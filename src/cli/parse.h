/* parse.h - the words of the command line, by a table of options; the help.
 *
 *     --name value   --name=value   -n value   -nvalue
 *
 * Options and arguments mix freely; "--" ends the options.
 */
#ifndef COOC_CLI_PARSE_H
#define COOC_CLI_PARSE_H

#include <stdio.h>

#include "ask/ask.h"

/* Set args and leave the arguments, as many as the usage says, in argv.
 * 1: there is a --help; COOC_EINVAL. */
int parse(int *argc, char **argv, const struct usage *usage,
          const struct opt *table, void *args, struct cooc_err *err);

/* The help, 80 columns wide at most. */
void help_print(FILE *to, const struct usage *usage, const struct opt *table,
                const void *defaults);

#endif
