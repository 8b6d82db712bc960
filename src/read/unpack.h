/* unpack.h - the decompressed bytes of a file, or of each entry of an archive.
 *
 *     unpack_new, then while unpack_entry() is 1:
 *         lookahead_block(unpack_bytes()) until it is 0 (or stop early)
 *
 * magic.h lists the types that are opened; every other file is one plain entry.
 *
 * Ownership  The name given must outlive the object.
 */
#ifndef COOC_UNPACK_H
#define COOC_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "read/lookahead.h"

struct binary;
struct unpack;
struct office_limits;

/* What an archive says about an entry; strings live until the next call. */
struct unpacked {
    const char *path; /* path in the archive; NULL: not an archive */
    const char *link; /* NULL, or the path of an earlier entry: this one is a
                       * hard link to it, without bytes of its own */
    bool regular;     /* false for directories, symbolic links and the like */
    bool no_end;      /* there are no more entries, but the archive does not say
                       * so: it may be truncated */
};

/* fd: the file that the blocks come from if it is seekable, otherwise -1.
 * limits: for office files (office.h); NULL: from is an entry of an archive,
 * and neither archives nor office files in it are opened. */
int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               const struct office_limits *limits, struct cooc_err *err);
/* Read the bytes as they are, even if they look compressed. */
int unpack_plain(struct unpack **out, const char *name, struct pull from,
                 struct cooc_err *err);
void unpack_free(struct unpack *u);

/* 1: at the next entry; 0: no more entries; < 0: failed. */
int unpack_entry(struct unpack *u, struct unpacked *entry,
                 struct cooc_err *err);

/* Read the rest of the current entry, to find damage, if it is compressed or in
 * an archive. */
int unpack_finish(struct unpack *u, struct cooc_err *err);

/* Is it an office file, presented as one entry of HTML in UTF-8? */
bool unpack_is_office(const struct unpack *u);

/* If it is a zip archive that should not be opened, its kind (binary.h);
 * otherwise NULL. */
const struct binary *unpack_binary(const struct unpack *u);

/* The bytes of the current entry: peek at them, then read them to the end. */
struct lookahead *unpack_bytes(struct unpack *u);

#endif
