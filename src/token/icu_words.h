/* icu_words.h - the finished words of a piece of text, by ICU.
 *
 * Finished means folded, normalised and back in UTF-8.  The words of a piece
 * are packed one behind the other, each a varint length and its bytes, so
 * that a piece can be remembered whole (chunk_cache.h).
 *
 * Threads    One thread at a time; each tokeniser has its own.
 */
#ifndef COOC_ICU_WORDS_H
#define COOC_ICU_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unicode/utypes.h>

#include "token/token.h"

struct buf;
struct cooc_err;
struct icu_words;

/* ICU counts in 31 bits; a piece without a blank may not be longer. */
#define ICU_WORDS_MAX ((size_t)1 << 29)

int icu_words_new(struct icu_words **out, enum token_mode mode, bool keep_case,
                  struct cooc_err *err);
void icu_words_free(struct icu_words *w);

/* Append the packed words of text to *out and the number of its invalid
 * bytes to *invalid. */
int icu_words_split(struct icu_words *w, const char *text, size_t len,
                    struct buf *out, uint64_t *invalid, struct cooc_err *err);

/* Append the whole text to *out, finished as one word but not packed. */
int icu_words_fold(struct icu_words *w, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err);

/* Say what ICU says. */
int icu_error(struct cooc_err *err, UErrorCode status);

#endif
