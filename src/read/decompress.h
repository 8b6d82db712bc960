/* decompress.h - the bytes of a bz2, xz, zst or lz4 file, by libarchive.
 *
 * gunzip.h does gz.  One layer of compression is removed.
 *
 * Ownership  The name given must outlive the object; blocks live until the
 *            next call.
 */
#ifndef COOC_DECOMPRESS_H
#define COOC_DECOMPRESS_H

#include "read/packing.h"
#include "read/pull.h"

struct archive;
struct decompress;

/* What libarchive says of a file that it cannot read. */
int archive_says(struct archive *a, const char *name, struct cooc_err *err);

/* from begins with the mark of the packing, one of those above. */
int decompress_new(struct decompress **out, const char *name,
                   enum packing packing, struct pull from,
                   struct cooc_err *err);
void decompress_free(struct decompress *d);

/* 1: a block; 0: the end, and nothing but zeros follows; < 0: failed. */
int decompress_block(struct decompress *d, const char **data, size_t *len,
                     struct cooc_err *err);

#endif
