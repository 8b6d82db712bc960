/* name_list.h - a short sorted set of names in one buffer.
 *
 * Each name is followed by a NUL: "body\0title\0".  An all-zero buffer is an
 * empty set.
 *
 * Cost       Adding or finding a name is linear in the length of the buffer.
 */
#ifndef COOC_NAME_LIST_H
#define COOC_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cooc_err;

/* Add name[0..len), which must not contain a NUL, unless it is in the set. */
int name_list_add(struct buf *list, const char *name, size_t len,
                  struct cooc_err *err);
int name_list_add_all(struct buf *list, const struct buf *more,
                      struct cooc_err *err);
bool name_list_has(const struct buf *list, const char *name, size_t len);

/* Return the name after the given one, or NULL after the last.  Pass NULL to
 * get the first. */
const char *name_list_next(const struct buf *list, const char *name);

#endif
