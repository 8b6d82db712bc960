/* ahead.h - look at the first bytes of a source without using them up.
 *
 * Sits on any pull and is one itself (ahead_pull).  A block that was not
 * looked at passes through without a copy.
 *
 * Ownership  Bytes live until the next call.  An all-zero struct is valid.
 */
#ifndef COOC_AHEAD_H
#define COOC_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "read/pull.h"

struct ahead {
    struct pull from;
    const char *pending; /* looked at, not handed out yet */
    size_t pending_len;
    bool ended;          /* the source has no more */
    struct buf joined;   /* where pending is if it spans blocks */
};

/* Begin with a source; what was pending is dropped. */
void ahead_begin(struct ahead *a, struct pull from);
/* Free the last source, too. */
void ahead_release(struct ahead *a);

/* The next bytes: at least want of them, or all that are left. */
int ahead_peek(struct ahead *a, size_t want, const char **data, size_t *len,
               struct cooc_err *err);

/* 1: a block; 0: no more; < 0: failed. */
int ahead_block(struct ahead *a, const char **data, size_t *len,
                struct cooc_err *err);

/* Everything from the next byte on, for the layer above. */
struct pull ahead_pull(struct ahead *a);

#endif
