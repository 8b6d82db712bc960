/* plain_json.h - jansson, whatever the locale.
 *
 * jansson asks the locale of the program around us for its decimal point, and
 * ends the program if that is longer than a byte.
 */
#ifndef COOC_PLAIN_JSON_H
#define COOC_PLAIN_JSON_H

#include <jansson.h>

/* json_loadb() and json_dumps(). */
json_t *plain_json_load(const char *text, size_t len, size_t flags,
                        json_error_t *why);
char *plain_json_dump(const json_t *json, size_t flags);

#endif
