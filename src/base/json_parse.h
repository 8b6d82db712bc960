/* json_parse.h - the parser of plain_json.c, which accepts what json_loadb()
 * accepts. */
#ifndef COOC_JSON_PARSE_H
#define COOC_JSON_PARSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct json_how {
    bool nul;        /* in: strings may hold U+0000 */
    bool record;     /* in: as plain_json_record() */
    bool nomem;      /* out: memory ran out; else a bad text is bad */
    size_t replaced; /* out: halves of surrogate pairs in it */
};

/* The object or array that is all of text[0..len), or NULL.  Numbers are read
 * in the locale of the thread. */
json_t *json_parse(const char *text, size_t len, struct json_how *how);

/* Replace what json_loadb() refuses and a record may hold, in place. */
void json_tame(char *text, size_t len);

#endif
