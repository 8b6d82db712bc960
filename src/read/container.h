/* container.h - iterate over the entries of an archive.
 *
 *     tar_new or zip_new, then while entry() is 1:
 *         block() until it is 0 (or stop early)
 *
 * Ownership  The name and the struct lookahead given must outlive the
 *            container.  Names of entries live until the next call of entry().
 */
#ifndef COOC_CONTAINER_H
#define COOC_CONTAINER_H

#include "read/lookahead.h"
#include "read/unpack.h"

struct container {
    /* 1: at the next entry; 0: no more entries; < 0: failed. */
    int (*entry)(void *self, struct unpacked *out, struct cooc_err *err);
    /* Return a block of the entry, like pull.block. */
    int (*block)(void *self, const char **data, size_t *len,
                 struct cooc_err *err);
    void *self; /* NULL: no container */
    void (*free)(void *self);
};

int tar_new(struct container *out, const char *name, struct lookahead *from,
            struct cooc_err *err);

/* fd: the file that the bytes come from if it is seekable, otherwise -1. */
int zip_new(struct container *out, const char *name, struct lookahead *from,
            int fd, struct cooc_err *err);
/* 1: the directory of the zip archive lists the path; 0: it does not; -1: the
 * archive is read without its directory. */
int zip_lists(const struct container *zip, const char *path);

#endif
