/* typed.h - words as users type them that cannot be looked up as they are.
 *
 * The tokeniser drops what is not part of a word.  That is right for a comma
 * or a quotation mark around a word, but "slave*" must not be answered as
 * "slave", nor "C++" as "c".
 */
#ifndef COOC_TYPED_H
#define COOC_TYPED_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;

/* The number of bytes of a word that a message quotes. */
int typed_shown(size_t len);

/* Is it written like a shell pattern: *, ? or a [set]?  Brackets around all of
 * it are punctuation. */
bool typed_pattern(const char *word, size_t len);

/* The first character that the tokeniser for words drops although it is
 * neither white space nor punctuation; its length in bytes, 0 for none. */
size_t typed_dropped(const char *word, size_t len, const char **at);

/* The errors for a pattern and for a dropped character, COOC_EINVAL.  term is
 * what the tokeniser leaves of the word. */
int typed_refuse_pattern(const char *word, size_t len, struct cooc_err *err);
int typed_refuse_dropped(const char *word, size_t len, const char *term,
                         size_t term_len, struct cooc_err *err);

#endif
