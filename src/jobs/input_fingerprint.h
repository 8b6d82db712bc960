/* input_fingerprint.h - identify the inputs of a store that is not counted yet.
 *
 * One command may index documents and count them.  If it is interrupted while
 * counting, repeating the command must not read the documents again, but it
 * must not count a store that was made from other documents or with other
 * options either.  So until the store is counted, it contains a note,
 * counting.json, of the options of the command and of the name, size, time and
 * inode of each input.  The note is not part of the store: it is only compared,
 * and a wrong one does no harm.
 */
#ifndef COOC_INPUT_FINGERPRINT_H
#define COOC_INPUT_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cooc_build.h"

struct watch;

#define INPUT_FINGERPRINT_NAME "counting.json"

/* Make the text of the note.  It is empty if an input does not exist or cannot
 * be identified later, for example standard input. */
int input_fingerprint_make(struct buf *fingerprint, const char *const *inputs,
                           size_t n, const struct cooc_index_options *o,
                           struct watch *watch, struct cooc_err *err);

int input_fingerprint_write(const struct buf *fingerprint, const char *dir,
                            struct cooc_err *err);

/* Whether dir contains exactly this note and a valid store that is not counted.
 * If it contains another note, *differs says how they differ, or is NULL if
 * that is unknown. */
int input_fingerprint_matches(const struct buf *fingerprint, const char *dir,
                              bool *matches, const char **differs,
                              struct cooc_err *err);

/* Remove the note, because the store is counted, or damaged, and must
 * not be resumed. */
void input_fingerprint_remove(const char *dir);

#endif
