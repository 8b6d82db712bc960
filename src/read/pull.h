/* pull.h - where blocks of bytes come from: a file, a decompressor, an
 * entry of an archive.  Each layer pulls from the one below it. */
#ifndef COOC_PULL_H
#define COOC_PULL_H

#include <stddef.h>

struct cooc_err;

struct pull {
    /* 1: a block of at least one byte, living until the next call; 0: no
     * more; < 0: failed. */
    int (*block)(void *self, const char **data, size_t *len,
                 struct cooc_err *err);
    void *self;
    void (*free)(void *self); /* NULL: self is somebody else's */
};

static inline void pull_free(struct pull *p)
{
    if (p->free)
        p->free(p->self);
}

#endif
