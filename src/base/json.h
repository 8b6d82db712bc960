/* json.h - jansson, whatever the locale, and whatever the memory.
 *
 * jansson asks the locale of the program around us for its decimal point, and
 * ends the program if that is longer than a byte.  When memory runs out, its
 * lexer drops bytes of long tokens, reads past the end of its buffer, fails an
 * assertion, or reports valid text as invalid.  It also reads one byte at a
 * time.  So the text is parsed here, into jansson's values.
 */
#ifndef COOC_JSON_H
#define COOC_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* json_loadb() of an object or array; what it returns is what the text says.
 * On failure *why, which may be NULL, says what is wrong, or that memory ran
 * out. */
json_t *json_read(const char *text, size_t len, size_t flags,
                  json_error_t *why);

/* The same for a record that any program may have written, which must be valid
 * UTF-8.  Numbers may have any size and are kept as they are written: each is a
 * string of JSON_NUMBER_MARK, a byte that is in no other string, and its text.
 * Half a surrogate pair, as in "\ud800", which jansson refuses, becomes U+FFFD;
 * *replaced is the number of them.  Strings may hold U+0000. */
json_t *json_read_record(const char *text, size_t len, size_t *replaced,
                         json_error_t *why);
#define JSON_NUMBER_MARK ((char)0xff)

bool json_out_of_memory(const json_error_t *why);

/* The member key of an object if it is an integer from 0 on, or up to max; else
 * false, and *out stays as it is. */
bool json_get_u64(const json_t *object, const char *key, uint64_t *out);
bool json_get_u32(const json_t *object, const char *key, uint32_t max,
                  uint32_t *out);

/* Add the text of json to a buffer; NULL is what jansson returned for want of
 * memory. */
int json_append(struct buf *to, const json_t *json, size_t flags,
                struct cooc_err *err);

/* ---- json_parse.c, which accepts what json_loadb() accepts --------------- */

struct json_parse_args {
    bool nul;        /* in: strings may hold U+0000 */
    bool record;     /* in: as json_read_record(); the text is valid UTF-8 */
    bool nomem;      /* out, false before: memory ran out */
    size_t replaced; /* out, 0 before: halves of surrogate pairs in it */
};

/* The object or array that is all of text[0..len), or NULL.  Numbers are read
 * in the locale of the thread. */
json_t *json_parse(const char *text, size_t len, struct json_parse_args *args);

/* Replace what json_loadb() refuses and a record may hold, in place. */
void json_sanitise(char *text, size_t len);

#endif
