/* placed_file.h - write a checked file in pieces, in any order, on several
 * threads.
 *
 * The file is the same as that of checked_file_create(), byte by byte.  Every
 * piece is written by the thread that puts it, and the hashes of the blocks are
 * computed from the memory of the caller, so threads do not wait for each
 * other.  Only blocks that consist of several pieces are copied:
 *
 *     blocks    |        0        |        1        |        2        |
 *     pieces    |     a     |            b             |      c       |
 *     copied                ^^^^^^^                    ^^^^^^^^^^^^^^^^
 *
 * The file is written through the page cache, because files that are written
 * this way are read soon; disk.h is for files that are not.
 *
 * Threads    placed_file_put() may be called by several threads at a time, the
 *            other functions only by one.
 */
#ifndef COOC_PLACED_FILE_H
#define COOC_PLACED_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/checked_file.h"

struct placed_file;

/* Create a file that is named path_temporary() until it is committed. */
int placed_file_create(struct placed_file **out, const char *path,
                       const char *kind, struct cooc_err *err);

/* Write a piece at byte off of the payload.  Together, all pieces must cover
 * the payload exactly once. */
int placed_file_put(struct placed_file *f, uint64_t off, const void *data,
                    size_t len, struct cooc_err *err);
/* Write integers at byte off, in little-endian order. */
int placed_file_put_u32(struct placed_file *f, uint64_t off,
                        const uint32_t *v, size_t n, struct cooc_err *err);
int placed_file_put_u64(struct placed_file *f, uint64_t off,
                        const uint64_t *v, size_t n, struct cooc_err *err);
/* The size of the payload so far, in bytes. */
uint64_t placed_file_size(const struct placed_file *f);

/* Map the payload before it is committed.  Integers have the byte order of the
 * file.  The map is valid until placed_file_free(). */
int placed_file_map(struct placed_file *f, const void **out,
                    struct cooc_err *err);

/* Write table and footer, sync and rename the file, and describe it in *id.
 * Afterwards only placed_file_free() may be called. */
int placed_file_commit(struct placed_file *f, struct checked_file_id *id,
                       struct cooc_err *err);
/* Free the writer; remove the file unless it is committed.  NULL is allowed. */
void placed_file_free(struct placed_file *f);

#endif
