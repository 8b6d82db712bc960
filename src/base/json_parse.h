/* json_parse.h - JSON text to jansson's values, without jansson's lexer.
 *
 * When memory runs out, that lexer drops bytes of long tokens, reads past the
 * end of its buffer, fails an assertion, or reports valid text as invalid.  It
 * also reads one byte at a time.
 */
#ifndef COOC_JSON_PARSE_H
#define COOC_JSON_PARSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The object or array that is all of text[0..len).  nul: strings may hold
 * U+0000.  On failure *nomem says whether memory ran out; otherwise the text
 * is invalid.  Numbers are read in the locale of the thread. */
json_t *json_parse(const char *text, size_t len, bool nul, bool *nomem);

#endif
