/* json.h - load and write JSON as jansson values, independent of the locale and
 * correct when memory runs out.
 *
 * jansson takes the decimal point from the locale of the program, and aborts if
 * it is longer than one byte.  When memory runs out, its lexer drops bytes of
 * long tokens, reads past the end of its buffer, fails an assertion, or reports
 * valid text as invalid.  It also reads one byte at a time.  So text is parsed
 * by json_parse.c, and jansson is used for values, output and error messages.
 */
#ifndef COOC_JSON_H
#define COOC_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* Parse an object or array, as json_loadb() does.  On failure, return NULL
 * and, unless why is NULL, set *why to the error (possibly out of memory). */
json_t *json_read(const char *text, size_t len, size_t flags,
                  json_error_t *why);

/* Parse a record of the input, which must be valid UTF-8.  Accepts more than
 * json_read() does:
 *
 *     numbers     may have any size and keep their spelling: a number becomes a
 *                 string of the byte JSON_NUMBER_MARK, which no other string
 *                 contains, and the text of the number
 *     "\ud800"    an unpaired surrogate becomes U+FFFD; *replaced counts them
 *     "\u0000"    strings may contain U+0000 */
json_t *json_read_record(const char *text, size_t len, size_t *replaced,
                         json_error_t *why);
#define JSON_NUMBER_MARK ((char)0xff)

/* Whether *why says that memory ran out. */
bool json_out_of_memory(const json_error_t *why);

/* Set *out to the member key of an object.  Return false, and leave *out
 * unchanged, unless the member is an integer of at least 0 and, for
 * json_get_u32(), at most max. */
bool json_get_u64(const json_t *object, const char *key, uint64_t *out);
bool json_get_u32(const json_t *object, const char *key, uint32_t max,
                  uint32_t *out);

/* Append the text of json to a buffer.  If json is NULL, because jansson ran
 * out of memory, return COOC_ENOMEM. */
int json_append(struct buf *to, const json_t *json, size_t flags,
                struct cooc_err *err);

/* ---- json_parse.c: accepts the same texts as json_loadb() ---------------- */

struct json_parse_args {
    bool nul;        /* in: strings may contain U+0000 */
    bool record;     /* in: parse as json_read_record(); needs valid UTF-8 */
    bool nomem;      /* out: memory ran out; initially false */
    size_t replaced; /* out: number of unpaired surrogates; initially 0 */
};

/* Parse text[0..len), which must be one object or array; NULL on failure.  The
 * caller must have switched to the "C" locale, unless args->record is set. */
json_t *json_parse(const char *text, size_t len, struct json_parse_args *args);

/* Replace, in place, everything that json_read_record() accepts but
 * json_loadb() rejects, so that jansson reports the real error. */
void json_sanitise(char *text, size_t len);

#endif
