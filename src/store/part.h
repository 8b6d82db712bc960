/* part.h - lists of names and the description of a part, as JSON. */
#ifndef COOC_PART_H
#define COOC_PART_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "read/part_info.h"

struct cooc_err;

/* A name list (name_list.h) as a new array; NULL if memory runs out. */
json_t *names_json(const struct buf *names);
/* Add the names of an array, which are ascending; j may be NULL.  False if j is
 * malformed, or if memory runs out, with an error in *err. */
bool names_read(struct buf *names, const json_t *j, struct cooc_err *err);

/* The same for the description of a part. */
json_t *part_json(const struct part_info *p);
bool part_read(struct part_info *p, const json_t *j, struct cooc_err *err);

#endif
