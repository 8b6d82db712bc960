/* entry_text.h - an entry as UTF-8: its blocks, or its lines and the bytes
 * between them.
 *
 * An all-zero struct text, with the most bytes of a line in max, is valid.  A
 * byte order mark is dropped.  A line loses its "\n" or "\r\n"; the last one
 * needs none.  What is handed out lives until the next call.
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
    size_t max; /* bytes of a line */
    struct stream *stream;
    struct recoder *recoder; /* NULL: the bytes are taken as they are */
    size_t skip;             /* of the mark, still to be dropped */
    bool marked;             /* a byte order mark said what it is; without
                              * it and a recoder it may not be UTF-8 */
    bool ended, begun;
    struct buf out;
    uint64_t line;  /* the number of the line handed out last, from 1 */
    const char *at; /* what is left of the block */
    size_t left;
    struct buf joined; /* a line that spans blocks */
};

/* Begin with the stream's entry.  encoding NULL: UTF-8, unless a mark says
 * UTF-16 or UTF-32.  Invalid bytes are added to *invalid. */
int text_begin(struct text *t, struct stream *s, const char *encoding,
               uint64_t *invalid, struct cooc_err *err);
/* Begin, but take every byte as it is. */
void text_begin_raw(struct text *t, struct stream *s);
void text_release(struct text *t);

/* 1: a block of at least one byte; 0: the end; < 0: failed.  Not to be mixed
 * with the calls below. */
int text_block(struct text *t, const char **data, size_t *len,
               struct cooc_err *err);

/* 1: a line; 0: no more; < 0: failed, COOC_ELIMIT past max. */
int text_line(struct text *t, const char **line, size_t *len,
              struct cooc_err *err);

/* Append the next n bytes to out (NULL: skip them) and return 1, or 0 if
 * the entry ends before. */
int text_bytes(struct text *t, uint64_t n, struct buf *out,
               struct cooc_err *err);

#endif
