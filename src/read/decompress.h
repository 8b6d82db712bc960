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

#include <archive.h>
#include <archive_entry.h>
#include <stdint.h>

#include "base/err.h"
#include "read/lookahead.h"
#include "read/magic.h"

/* gunzip.c. */
int gunzip_new(struct pull *out, const char *name, struct pull from,
               struct cooc_err *err);

/* from begins with the mark of the packing, one of the others. */
int decompress_new(struct pull *out, const char *name, enum magic magic,
                   struct pull from, struct cooc_err *err);

/* ---- libarchive, fed with blocks from another layer ---------------------- */

struct archive_source {
    const char *name; /* for messages */
    struct archive *a;
    struct archive_entry *entry; /* ours: libarchive may have none of its own */
    struct pull from;
    int fd;            /* where it comes from if one may seek there, else -1 */
    const char *given; /* the block that libarchive was given last */
    size_t given_len;
    uint64_t given_total; /* bytes of all blocks */
    int rc;               /* what went wrong while it asked for one */
    struct cooc_err err;
};

/* Prepare for archive_read_open1(); formats and filters are the caller's.  An
 * all-zero struct may be released. */
int archive_source_init(struct archive_source *s, const char *name,
                        struct pull from, struct cooc_err *err);
void archive_source_release(struct archive_source *s);

/* The error of what libarchive complains about, or met below it. */
int archive_source_failed(struct archive_source *s, struct cooc_err *err);

/* 1: a block of the entry and its place in it; 0: no more; < 0: failed. */
int archive_source_block(struct archive_source *s, const char **data,
                         size_t *len, la_int64_t *where, struct cooc_err *err);

#endif
