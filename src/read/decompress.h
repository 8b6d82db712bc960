/* decompress.h - undo one compression: the bytes of a gz file by zlib, those
 * of a bz2, xz, zst or lz4 file by libarchive.
 *
 * Ownership  *out, which is made only on success, is for its free().  The name
 *            given must outlive it.
 * Errors     *out fails when the data is damaged, or if anything but zeros
 *            follows it.
 */
#ifndef COOC_DECOMPRESS_H
#define COOC_DECOMPRESS_H

#include "read/ahead.h"
#include "read/packing.h"

/* gunzip.c. */
int gunzip_new(struct pull *out, const char *name, struct pull from,
               struct cooc_err *err);

/* from begins with the mark of the packing, one of the others. */
int decompress_new(struct pull *out, const char *name, enum packing packing,
                   struct pull from, struct cooc_err *err);

#endif
