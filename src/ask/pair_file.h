/* pair_file.h - "pairs --from": the pairs of a file, in its order.
 *
 * A pair a line: two words with a tab between them, or blanks where there is
 * no tab.  Empty lines and comments ("# ...") are passed over.  A file of many
 * pairs is not lost to one word: an unknown one makes a row of zeros, a line
 * that is no pair is left out, and both are reported in notes.
 */
#ifndef COOC_ASK_PAIR_FILE_H
#define COOC_ASK_PAIR_FILE_H

#include "ask/answer.h"

/* Answer with the pairs of path ("-": standard input) and the measures that
 * are named. */
int pair_file_answer(struct answer *a, const char *path, const char *measures,
                     struct cooc_err *err);

#endif
