/* unpack.h - one file through libarchive: decompressed, and if it is an
 * archive, entry by entry.
 *
 *     unpack_new, then while unpack_entry() is 1:
 *         unpack_block() until it is 0 (or stop early)
 *
 * Ownership  The name given must outlive the object.  Blocks and peeked
 *            bytes live until the next call.
 */
#ifndef COOC_UNPACK_H
#define COOC_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "read/pull.h"

struct unpack;

/* Do these first bytes, UNPACK_MAGIC of them or all, belong to a compressed
 * file? */
#define UNPACK_MAGIC 6
bool unpack_is_compressed(const char *head, size_t len);

/* Read from blocks, the first of six bytes or everything.  fd: where they
 * come from if libarchive may seek there, else -1.  nested: a compressed
 * entry of an archive, in which archives are not opened again. */
int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               bool nested, struct cooc_err *err);
void unpack_free(struct unpack *u);

/* 1: at the next entry; 0: no more.  *entry is its path in the archive, or
 * NULL if the file is no archive but one plain entry; *regular is false
 * for directories, links and the like. */
int unpack_entry(struct unpack *u, const char **entry, bool *regular,
                 struct cooc_err *err);

/* The entry's next bytes: at least want of them, or all there are. */
int unpack_peek(struct unpack *u, size_t want, const char **data, size_t *len,
                struct cooc_err *err);

/* 1: a block; 0: the entry ends here; < 0: failed. */
int unpack_block(struct unpack *u, const char **data, size_t *len,
                 struct cooc_err *err);

#endif
