/* recode.h - other encodings to UTF-8, by ICU.
 *
 * Bytes that mean nothing in the encoding become U+FFFD and are counted.
 * Threads: one at a time for each recoder.
 */
#ifndef COOC_RECODE_H
#define COOC_RECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;
struct recoder;

/* COOC_EINVAL if ICU does not know the encoding.  Invalid bytes are added
 * to *invalid, which must outlive the recoder. */
int recoder_new(struct recoder **out, const char *encoding, uint64_t *invalid,
                struct cooc_err *err);
void recoder_free(struct recoder *r);

/* Append in[0..len) to out as UTF-8; a character cut off at the end is
 * kept for the next call unless this is the last. */
int recoder_feed(struct recoder *r, const char *in, size_t len, bool last,
                 struct buf *out, struct cooc_err *err);

/* All three, for a whole text or (unless last) the beginning of one. */
int recode(const char *encoding, const char *in, size_t len, bool last,
           struct buf *out, uint64_t *invalid, struct cooc_err *err);

/* COOC_EINVAL if ICU does not know the name. */
int encoding_check(const char *encoding, struct cooc_err *err);
bool encoding_is_utf8(const char *encoding);

/* What the first bytes of a text say of its encoding: "UTF-8", "UTF-16LE",
 * ..., or NULL; *len is the length of the mark. */
const char *encoding_mark(const char *text, size_t n, size_t *len);

#endif
