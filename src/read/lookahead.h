/* lookahead.h - where blocks of bytes come from, and a look ahead at them.
 *
 * struct pull is a file, a decompressor or an entry of an archive.  Each layer
 * pulls from the one below it.  struct lookahead sits on any pull and is one
 * itself (lookahead_pull): its first bytes can be looked at without using them
 * up.  A block that was not looked at passes through without a copy.
 *
 * Ownership  Bytes live until the next call.  An all-zero struct lookahead is
 *            valid.
 */
#ifndef COOC_LOOKAHEAD_H
#define COOC_LOOKAHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct pull {
    /* 1: a block of at least one byte, living until the next call; 0: no
     * more; < 0: failed. */
    int (*block)(void *self, const char **data, size_t *len,
                 struct cooc_err *err);
    void *self;
    void (*free)(void *self); /* NULL: self is somebody else's */
};

struct lookahead {
    struct pull from;
    const char *pending; /* looked at, not handed out yet */
    size_t pending_len;
    bool ended;          /* the source has no more */
    struct buf joined;   /* where pending is if it spans blocks */
};

/* Begin with a source; what was pending is dropped. */
void lookahead_begin(struct lookahead *a, struct pull from);
/* Free the last source, too. */
void lookahead_release(struct lookahead *a);

/* The next bytes: at least want of them, or all that are left. */
int lookahead_peek(struct lookahead *a, size_t want, const char **data,
                   size_t *len, struct cooc_err *err);

/* Use up n of the bytes that were last looked at; they stay where they are
 * until the next call. */
void lookahead_use(struct lookahead *a, size_t n);

/* pull.block of a struct lookahead. */
int lookahead_block(void *self, const char **data, size_t *len,
                    struct cooc_err *err);

/* Everything from the next byte on, for the layer above. */
struct pull lookahead_pull(struct lookahead *a);

#endif
