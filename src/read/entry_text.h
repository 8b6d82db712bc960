/* entry_text.h - an entry's blocks as UTF-8, without a byte order mark.
 *
 * An all-zero struct text is valid.  Blocks live until the next call.
 */
#ifndef COOC_ENTRY_TEXT_H
#define COOC_ENTRY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct recoder;
struct stream;

struct text {
    struct stream *stream;
    struct recoder *recoder; /* NULL: the bytes are taken as they are */
    size_t skip;             /* of the mark, still to be dropped */
    bool marked;             /* a byte order mark said what it is */
    bool ended, begun;
    struct buf out;
};

/* Begin with the stream's entry.  encoding NULL: UTF-8, unless a mark says
 * UTF-16 or UTF-32.  Invalid bytes are added to *invalid. */
int text_begin(struct text *t, struct stream *s, const char *encoding,
               uint64_t *invalid, struct cooc_err *err);
/* Begin, but take every byte as it is. */
void text_begin_raw(struct text *t, struct stream *s);
void text_release(struct text *t);

/* Is what comes out UTF-8 for sure: converted, or with a mark that says so? */
bool text_is_utf8(const struct text *t);

/* 1: a block of at least one byte; 0: the end; < 0: failed. */
int text_block(struct text *t, const char **data, size_t *len,
               struct cooc_err *err);

#endif
