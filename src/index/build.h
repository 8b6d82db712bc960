/* build.h - from inputs to a collection on disk: read, order, write. */
#ifndef COOC_BUILD_H
#define COOC_BUILD_H

#include "base/blob.h"
#include "cooc.h"
#include "index/collection.h"
#include "token/token.h"

struct watch;

/* Do the options make sense?  Nothing is written. */
int index_check(const struct cooc_index_options *o, struct cooc_err *err);

/* Write the collection's files into dir, which exists and is empty; what
 * was written is described in ids[COLLECTION_FILES].  *mode tells how terms
 * were found. */
int index_build(const char *const *inputs, size_t n, const char *dir,
                const struct cooc_index_options *o, struct blob_id *ids,
                enum token_mode *mode, struct cooc_index_report *report,
                struct watch *watch, struct cooc_err *err);

#endif
