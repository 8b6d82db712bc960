/* icu_words.h - split text into finished words, with ICU.
 *
 * Finished means case-folded, normalised and in UTF-8.  The words of a text are
 * packed, each as a varint length followed by its bytes, so that they can be
 * cached as one block (chunk_cache.h).
 *
 * Threads    One thread at a time; each tokeniser has its own struct icu_words.
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

/* ICU counts in 31 bits, so this is the maximum length in bytes of a run of
 * text without white space. */
#define ICU_WORDS_MAX ((size_t)1 << 29)

int icu_words_new(struct icu_words **out, enum token_mode mode, bool keep_case,
                  struct cooc_err *err);
void icu_words_free(struct icu_words *w);

/* Append the packed words of text to *out, and add its number of invalid bytes
 * to *invalid. */
int icu_words_split(struct icu_words *w, const char *text, size_t len,
                    struct buf *out, uint64_t *invalid, struct cooc_err *err);

/* Append the whole text to *out as one finished word, without a length.  In
 * TOKENS_ITEMS, white space around it is dropped, and each run of white space
 * in it becomes one blank. */
int icu_words_fold(struct icu_words *w, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err);
/* The same in any mode with white space as in TOKENS_ITEMS. */
int icu_words_name(struct icu_words *w, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err);

/* Is text[0..n) a single segment?  Only for TOKENS_WORDS. */
bool icu_words_whole(struct icu_words *w, const UChar *text, int32_t n);

/* Does folding and normalising never combine c with the text before it? */
bool icu_words_stable(const struct icu_words *w, int32_t c);

/* Set err to ICU's error and return its COOC_E* code. */
int icu_error(struct cooc_err *err, UErrorCode status);

#endif
