/* unpack.h - a file's bytes: decompressed, and if it is an archive, entry by
 * entry.
 *
 *     unpack_new, then while unpack_entry() is 1:
 *         lookahead_block(unpack_bytes()) until it is 0 (or stop early)
 *
 * magic.h says what is opened; all else is one plain entry.
 *
 * Ownership  The name given must outlive the object.
 */
#ifndef COOC_UNPACK_H
#define COOC_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "read/lookahead.h"

struct unpack;

/* What an archive says of an entry; strings live until the next call. */
struct unpacked {
    const char *path; /* in the archive; NULL: one plain entry, no archive */
    const char *link; /* NULL, or the path of an earlier entry: this one is a
                       * hard link to it, without bytes of its own */
    bool regular;     /* false for directories, symbolic links and the like */
};

/* fd: the file the blocks come from if it can be read anywhere, else -1.
 * nested: an entry of an archive, in which archives are not opened again. */
int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               bool nested, struct cooc_err *err);
void unpack_free(struct unpack *u);

/* 1: at the next entry; 0: no more. */
int unpack_entry(struct unpack *u, struct unpacked *entry,
                 struct cooc_err *err);

/* The bytes of the entry at hand: to look at, then to read until they end. */
struct lookahead *unpack_bytes(struct unpack *u);

#endif
