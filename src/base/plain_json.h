/* plain_json.h - jansson, whatever the locale, and whatever the memory.
 *
 * jansson asks the locale of the program around us for its decimal point, and
 * ends the program if that is longer than a byte.  When memory runs out, its
 * lexer drops bytes of long tokens, reads past the end of its buffer, fails an
 * assertion, or reports valid text as invalid.  It also reads one byte at a
 * time.  So the text is parsed here, into jansson's values.
 */
#ifndef COOC_PLAIN_JSON_H
#define COOC_PLAIN_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* json_loadb() of an object or array; what it returns is what the text says.
 * On failure *why, which may be NULL, says what is wrong, or that memory ran
 * out. */
json_t *plain_json_load(const char *text, size_t len, size_t flags,
                        json_error_t *why);

/* The same for a record that any program may have written, which must be valid
 * UTF-8.  Numbers may have any size and are kept as they are written: each is a
 * string of PLAIN_JSON_NUMBER, a byte that is in no other string, and its text.
 * Half a surrogate pair, as in "\ud800", which jansson refuses, becomes U+FFFD;
 * *replaced is the number of them.  Strings may hold U+0000. */
json_t *plain_json_record(const char *text, size_t len, size_t *replaced,
                          json_error_t *why);
#define PLAIN_JSON_NUMBER ((char)0xff)

bool plain_json_nomem(const json_error_t *why);

/* The member key of an object if it is an integer from 0 to max, which is at
 * most INT64_MAX; else false, and *out stays as it is. */
bool plain_json_u64(const json_t *object, const char *key, uint64_t max,
                    uint64_t *out);
bool plain_json_u32(const json_t *object, const char *key, uint32_t max,
                    uint32_t *out);

/* Add the text of json to a buffer; NULL is what jansson returned for want of
 * memory. */
int plain_json_add(struct buf *to, const json_t *json, size_t flags,
                   struct cooc_err *err);

#endif
