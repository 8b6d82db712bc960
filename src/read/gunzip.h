/* gunzip.h - blocks of bytes, unzipped if they are gzip, else as they are.
 *
 * Ownership  The name given must outlive the object; blocks live until the
 *            next call.
 */
#ifndef COOC_GUNZIP_H
#define COOC_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "read/pull.h"

struct gunzip;

/* Look at the first block of from, which holds two bytes or everything. */
int gunzip_new(struct gunzip **out, const char *name, struct pull from,
               struct cooc_err *err);
void gunzip_free(struct gunzip *g);

/* 1: a block; 0: the end, all checksums right; < 0: failed. */
int gunzip_block(struct gunzip *g, const char **data, size_t *len,
                 struct cooc_err *err);

#endif
