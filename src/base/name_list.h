/* name_list.h - a short sorted list of names, each once.
 *
 * The names are in a buffer, each followed by a NUL.  An all-zero buffer is an
 * empty list.  Adding a name takes time linear in the length of the list.
 */
#ifndef COOC_NAME_LIST_H
#define COOC_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cooc_err;

/* Add name[0..len), which holds no NUL, unless it is there. */
int name_list_add(struct buf *list, const char *name, size_t len,
                  struct cooc_err *err);
int name_list_add_all(struct buf *list, const struct buf *more,
                      struct cooc_err *err);
bool name_list_has(const struct buf *list, const char *name, size_t len);

/* The name after the given one, or NULL if it is the last; NULL gives the
 * first. */
const char *name_list_next(const struct buf *list, const char *name);

#endif
