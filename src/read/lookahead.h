/* lookahead.h - a source of blocks of bytes, and peeking at its next bytes.
 *
 * struct pull is a source: a file, a decompressor or an entry of an archive.
 * Each layer pulls from the layer below it.  struct lookahead wraps a pull and
 * is a pull itself (lookahead_pull): its next bytes can be examined without
 * consuming them.  A block that was not examined passes through without a copy.
 *
 * Ownership  Bytes live until the next call.  An all-zero struct lookahead is
 *            valid.
 */
#ifndef COOC_LOOKAHEAD_H
#define COOC_LOOKAHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct cooc_err;

struct pull {
    /* 1: a block of at least one byte, which lives until the next call; 0: no
     * more blocks; < 0: failed. */
    int (*block)(void *self, const char **data, size_t *len,
                 struct cooc_err *err);
    void *self;
    void (*free)(void *self); /* NULL: self is not ours to free */
};

struct lookahead {
    struct pull from;
    const char *pending; /* peeked at, not yet returned */
    size_t pending_len;
    bool ended;          /* the source has no more blocks */
    struct buf joined;   /* holds pending if it spans blocks */
    struct cooc_err *late; /* an error that follows pending, or NULL */
};

/* Start reading a source; pending bytes are dropped. */
void lookahead_begin(struct lookahead *a, struct pull from);
/* Also frees the last source. */
void lookahead_release(struct lookahead *a);

/* Peek at the next bytes: at least want of them, or all that are left. */
int lookahead_peek(struct lookahead *a, size_t want, const char **data,
                   size_t *len, struct cooc_err *err);

/* The same, but if damage prevents reading further, return what precedes it;
 * lookahead_block() fails when it arrives there. */
int lookahead_sample(struct lookahead *a, size_t want, const char **data,
                     size_t *len, struct cooc_err *err);

/* Consume n of the bytes that were last peeked at; they stay valid until the
 * next call. */
void lookahead_use(struct lookahead *a, size_t n);

/* Implements pull.block for a struct lookahead. */
int lookahead_block(void *self, const char **data, size_t *len,
                    struct cooc_err *err);

/* A source for the layer above, which begins with the next byte. */
struct pull lookahead_pull(struct lookahead *a);

#endif
