/* fold_text.h - fold the case of one term, as the tokeniser does.
 *
 * For terms that are made before the tokeniser sees them and that it must not
 * change any more.
 */
#ifndef COOC_FOLD_TEXT_H
#define COOC_FOLD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cooc_err;

/* Append text[0..len), which must be valid UTF-8, to out: without white space
 * around it, with each run of white space as one blank, in NFC and, unless
 * keep_case, with Unicode's full default case folding.  Text that is too long
 * for a term may be appended unchanged. */
int fold_text(const char *text, size_t len, bool keep_case, struct buf *out,
              struct cooc_err *err);

/* Does the text have a letter or a digit? */
bool has_letter_or_digit(const char *text, size_t len);

#endif
