/* answer_file.h - write an answer to a file instead of standard output.
 *
 *     rc = answer_file_open(&f, path, a, err);
 *     ... answer_rows(a, ...) ...
 *     rc = answer_file_close(&f, a, rc, err);
 *
 * The file appears, or replaces an existing one, only when it is complete.  A
 * device or a pipe is written in place.
 */
#ifndef COOC_ASK_ANSWER_FILE_H
#define COOC_ASK_ANSWER_FILE_H

#include "ask/answer.h"

/* An all-zero struct is closed. */
struct answer_file {
    FILE *file;
    char *path, *tmp; /* tmp NULL: written in place */
    FILE *to_before;
    enum out_form form_before;
};

/* Send the answer to the file, as TSV unless it is JSON.  No-op if path is NULL
 * or "-".  Call answer_file_close() even after a failure. */
int answer_file_open(struct answer_file *f, const char *path,
                     struct answer *a, struct cooc_err *err);

/* Give the file its name or, if rc < 0, remove it, and send the answer to where
 * it went before.  Returns rc or the error of the last write. */
int answer_file_close(struct answer_file *f, struct answer *a, int rc,
                      struct cooc_err *err);

#endif
