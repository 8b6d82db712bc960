/* odd_words.h - what a user types that is not a word of the store.
 *
 * The tokeniser drops characters that are not part of a word.  That is right
 * for a comma or quotation marks around a word, but "slave*" must not be
 * treated as "slave", nor "C++" as "c".
 */
#ifndef COOC_ODD_WORDS_H
#define COOC_ODD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct cooc;
struct cooc_err;

/* The number of bytes of a word that a message quotes. */
int odd_words_quoted(size_t len);

/* Whether the word looks like a shell pattern: it has *, ? or a [set].
 * Brackets around the whole word are punctuation. */
bool odd_words_pattern(const char *word, size_t len);

/* Find the first character that the word tokeniser drops although it is neither
 * white space nor punctuation.  Returns its length in bytes, or 0 for none. */
size_t odd_words_dropped(const char *word, size_t len, const char **at);

/* Set an error and return its code: the word is a pattern; it has dropped
 * characters, and term is what the tokeniser leaves of it; it is several words
 * that are not a phrase of the store. */
int odd_words_refuse_pattern(const char *word, size_t len,
                             struct cooc_err *err);
int odd_words_refuse_dropped(const char *word, size_t len, const char *term,
                             size_t term_len, struct cooc_err *err);
int odd_words_refuse_several(const struct cooc *db, const char *word,
                             size_t len, struct cooc_err *err);

#endif
