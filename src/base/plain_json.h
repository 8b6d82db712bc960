/* plain_json.h - jansson, whatever the locale, and whatever the memory.
 *
 * jansson asks the locale of the program around us for its decimal point, and
 * ends the program if that is longer than a byte.  When memory runs out
 * it may drop a letter of a string, or report valid text as invalid.
 */
#ifndef COOC_PLAIN_JSON_H
#define COOC_PLAIN_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* json_loadb() of an object or array; what it returns is what the text says.
 * On failure *why, which may be NULL, says whether memory ran out. */
json_t *plain_json_load(const char *text, size_t len, size_t flags,
                        json_error_t *why);
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
