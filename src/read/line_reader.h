/* line_reader.h - the lines of an entry, and runs of bytes between them.
 *
 * An all-zero struct line_reader is valid.  A line loses its "\n" or
 * "\r\n"; the last one needs none.  What is handed out lives until the next
 * call.
 */
#ifndef COOC_LINE_READER_H
#define COOC_LINE_READER_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct text;

struct line_reader {
    struct text *text;
    const char *name; /* for messages */
    size_t max;       /* bytes of a line */
    uint64_t line;    /* the number of the line handed out last, from 1 */
    const char *at;   /* what is left of the block */
    size_t left;
    struct buf joined; /* a line that spans blocks */
};

/* Begin with an entry; name must live as long as it is read. */
void line_reader_begin(struct line_reader *l, struct text *text,
                       const char *name, size_t max);
void line_reader_release(struct line_reader *l);

/* 1: a line; 0: no more; < 0: failed, COOC_ELIMIT past max. */
int line_reader_next(struct line_reader *l, const char **line, size_t *len,
                     struct cooc_err *err);

/* Append the next n bytes to out (NULL: skip them) and return 1, or 0 if
 * the entry ends before. */
int line_reader_bytes(struct line_reader *l, uint64_t n, struct buf *out,
                      struct cooc_err *err);

#endif
