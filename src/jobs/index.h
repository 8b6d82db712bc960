/* index.h - cooc_index() for those who have the directory. */
#ifndef COOC_JOBS_INDEX_H
#define COOC_JOBS_INDEX_H

#include "base/blob.h"
#include "cooc.h"

struct buf;
struct watch;

/* Make a store in dir, which exists and is empty; options are checked.  The
 * note (count_note.h) is put there too, unless it is NULL.  known_fields are
 * the text fields of the store that the documents are for, or NULL. */
int index_into(const char *const *inputs, size_t n, const char *dir,
               const struct cooc_index_options *o, const struct buf *note,
               const struct buf *known_fields,
               struct cooc_index_report *report, struct watch *watch,
               struct cooc_err *err);

/* The sum over documents of n(n-1)/2, from the forward offsets in dir: what
 * all counts must add up to. */
int sum_increments(const char *dir, const struct blob_id *ids,
                   uint64_t n_docs, uint64_t *sum, struct cooc_err *err);

#endif
