/* index.h - cooc_index() in a directory that is the caller's. */
#ifndef COOC_JOBS_INDEX_H
#define COOC_JOBS_INDEX_H

#include "cooc_build.h"

struct buf;
struct manifest;
struct watch;

/* Make a store in dir, which exists and is empty; options are checked.  The
 * note (count_note.h) is put there too, unless it is NULL.  known_fields are
 * the text fields of the store that the documents are for, or NULL. */
int index_into(const char *const *inputs, size_t n, const char *dir,
               const struct cooc_index_options *o, const struct buf *note,
               const struct buf *known_fields,
               struct cooc_index_report *report, struct watch *watch,
               struct cooc_err *err);

/* The files of a collection are in dir, which m describes but for the numbers
 * in *r: write its manifest. */
int index_finish(struct manifest *m, const char *dir,
                 const struct cooc_index_report *r, struct cooc_err *err);

#endif
