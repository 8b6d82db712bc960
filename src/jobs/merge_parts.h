/* merge_parts.h - put the parts of an index (read/part_info.h) in order, and
 * check what only the whole can show. */
#ifndef COOC_MERGE_PARTS_H
#define COOC_MERGE_PARTS_H

#include <stddef.h>

#include "store/manifest.h"

struct cooc_err;

/* If the first store is a part of an index, set *arranged to a new array of the
 * n paths in the order of the parts, for mem_free(); otherwise to NULL.
 * COOC_EINVAL if parts are missing, given twice, do not belong together, or if
 * no record of any part has text in a requested field, or an option about files
 * applies to none of them. */
int parts_arrange(const char ***arranged, const char *const *paths, size_t n,
                  struct cooc_err *err);

/* COOC_EINVAL if the store is a part of an index; first is not one. */
int parts_refuse(const struct manifest *m, const char *path,
                 const char *first, struct cooc_err *err);

#endif
