/* pair_file.h - "pairs --from": the pairs of a file, in its order.
 *
 * A pair a line: two words with a tab between them, or blanks where there is
 * no tab.  Empty lines and comments ("# ...") are passed over.  A file of many
 * pairs is not lost to one word: an unknown one makes a row of zeros, a line
 * that is no pair is left out, and both are told of on stderr.
 */
#ifndef COOC_CLI_PAIR_FILE_H
#define COOC_CLI_PAIR_FILE_H

#include "cooc.h"

struct pair_out;

/* Print the pairs of path ("-": standard input): the whole table. */
int pair_file_print(struct pair_out *t, const char *path,
                    struct cooc_err *err);

#endif
