/* input_fingerprint.h - whose documents a store holds that is still to be
 * counted.
 *
 * One command may index documents and count them.  If it ends while counting,
 * the same command must not read them again, nor may it count what other
 * documents or other options have made.  So until it is counted such a store
 * holds a note, counting.json, of the command's options and of the name, size,
 * time and inode of each input.  The note is no part of the store: it is only
 * ever compared, and a wrong one does no harm.
 */
#ifndef COOC_INPUT_FINGERPRINT_H
#define COOC_INPUT_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cooc_build.h"

struct watch;

#define INPUT_FINGERPRINT_NAME "counting.json"

/* The text of the note; empty if the inputs cannot be told apart from others
 * later, as standard input, or are not there. */
int input_fingerprint_make(struct buf *fingerprint, const char *const *inputs,
                           size_t n, const struct cooc_index_options *o,
                           struct watch *watch, struct cooc_err *err);

int input_fingerprint_write(const struct buf *fingerprint, const char *dir,
                            struct cooc_err *err);

/* Does dir hold this very note, and a good store that is not counted?  If the
 * note is another, *differs says in what, if that is known. */
int input_fingerprint_matches(const struct buf *fingerprint, const char *dir,
                              bool *matches, const char **differs,
                              struct cooc_err *err);

/* Counted, or damaged: nobody shall go on with it. */
void input_fingerprint_remove(const char *dir);

#endif
