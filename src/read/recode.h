/* recode.h - convert other encodings to UTF-8, with ICU.
 *
 * Bytes that are invalid in the encoding become U+FFFD and are counted.
 * Threads: one at a time per recoder.
 */
#ifndef COOC_RECODE_H
#define COOC_RECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;
struct recoder;

/* Make a recoder; COOC_EINVAL if ICU does not know the encoding.  The number of
 * invalid bytes is added to *invalid, which must outlive the recoder. */
int recoder_new(struct recoder **out, const char *encoding, uint64_t *invalid,
                struct cooc_err *err);
void recoder_free(struct recoder *r);

/* Append in[0..len) to out as UTF-8.  A character that is cut off at the end is
 * kept for the next call, unless last. */
int recoder_feed(struct recoder *r, const char *in, size_t len, bool last,
                 struct buf *out, struct cooc_err *err);

/* Convert a whole text in one call, or the beginning of a text if last is
 * false. */
int recode(const char *encoding, const char *in, size_t len, bool last,
           struct buf *out, uint64_t *invalid, struct cooc_err *err);

/* Return COOC_EINVAL if ICU does not know the encoding. */
int encoding_check(const char *encoding, struct cooc_err *err);
bool encoding_is_utf8(const char *encoding);

/* The encoding given by a byte order mark at the beginning of a text: "UTF-8",
 * "UTF-16LE", ..., or NULL.  *len is the length of the mark. */
const char *encoding_mark(const char *text, size_t n, size_t *len);

#endif
