/* entry_text.h - an entry as UTF-8, in blocks or in lines and byte ranges.
 *
 * An all-zero struct text with max set is valid.  A byte order mark is dropped.
 * A line is returned without its "\n" or "\r\n"; the last line needs no line
 * end.  What is returned lives until the next call.
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
    size_t max; /* maximum length of a line in bytes */
    struct stream *stream;
    struct recoder *recoder; /* NULL: the bytes pass through unchanged */
    size_t skip;             /* bytes of a byte order mark still to drop */
    bool marked;             /* a byte order mark gave the encoding */
    bool ended, begun;
    struct buf out;
    uint64_t line;  /* number of the line returned last, from 1 */
    bool uncounted; /* lines before the range of the stream are not included */
    const char *at; /* rest of the current block */
    size_t left;
    struct buf joined; /* a line that spans blocks */
    const char *peeked; /* the line of text_peek_line(), or NULL */
    size_t peeked_len;
};

/* Start reading the stream's entry.  encoding NULL: UTF-8.  A byte order mark
 * overrides it.  The number of invalid bytes is added to *invalid. */
int text_begin(struct text *t, struct stream *s, const char *encoding,
               uint64_t *invalid, struct cooc_err *err);
/* Start reading the stream's entry without any conversion. */
void text_begin_raw(struct text *t, struct stream *s);
/* Start reading the stream, which begins in the middle of a file in UTF-8. */
void text_begin_within(struct text *t, struct stream *s);
/* Make t->line the number of the line in the file: if the text begins in the
 * middle of a file, the lines before it are counted now. */
int text_number_lines(struct text *t, struct cooc_err *err);
void text_release(struct text *t);

/* 1: a block of at least one byte; 0: end of the entry; < 0: failed.  Do not
 * mix with the calls below. */
int text_block(struct text *t, const char **data, size_t *len,
               struct cooc_err *err);

/* 1: a line; 0: no more lines; < 0: failed, with COOC_ELIMIT if the line is
 * longer than max. */
int text_line(struct text *t, const char **line, size_t *len,
              struct cooc_err *err);

/* Peek at the next line, which the next text_line() returns again.  1, 0 or
 * < 0 as there. */
int text_peek_line(struct text *t, const char **line, size_t *len,
                   struct cooc_err *err);

/* Append the next n bytes to out (NULL: skip them).  1: done; 0: the entry ends
 * before that; < 0: failed. */
int text_bytes(struct text *t, uint64_t n, struct buf *out,
               struct cooc_err *err);

#endif
