/* spool.h - any number of byte streams in one nameless temporary file.
 *
 * A stream is written in pieces, each at the current end of the file, and read
 * sequentially through a small window.  So any number of streams can be written
 * at the same time with one open file:
 *
 *     file    | a1 | b1 | a2 | c1 | b2 | ...
 *     stream a = a1 a2      stream b = b1 b2      stream c = c1
 *
 * Pieces are kept in memory instead while their total size is at most `room`.
 *
 * Every piece in the file has a checksum, which is kept in memory.  A reader
 * with a window smaller than a piece may deliver most of a damaged piece before
 * the damage is detected, but no reader reaches the end of a damaged stream.
 *
 * Threads    Different streams may be written and read concurrently.
 * Errors     COOC_EIO if the file is damaged, COOC_EFULL if the disk is full.
 */
#ifndef COOC_SPOOL_H
#define COOC_SPOOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"

struct cooc_err;

/* The smallest window of a reader, in bytes. */
#define SPOOL_BLOCK ((size_t)4096)
/* A spool_writer writes pieces of this size, in bytes. */
#define SPOOL_PIECE ((size_t)65536)

struct spool_file {
    int fd;
    const char *dir; /* directory of the file, for messages */
    bool fixed_dir;  /* the user cannot choose another directory; initially
                      * false */
    uint64_t room;   /* maximum bytes of pieces in memory; initially 0 */
    atomic_uint_fast64_t kept; /* bytes of pieces in memory */
    atomic_uint_fast64_t end;  /* size of the file in bytes */
};

int spool_file_open(struct spool_file *file, const char *dir,
                    struct cooc_err *err);
void spool_file_close(struct spool_file *file); /* even if open failed */

/* An all-zero struct is an empty stream. */
struct spool {
    struct piece {
        uint8_t *memory; /* NULL if the piece is in the file */
        uint64_t off, len, sum;
    } * pieces;
    size_t n;
    uint64_t len;
};

/* Append a piece to the stream. */
int spool_add(struct spool *t, struct spool_file *file, const void *data,
              size_t len, struct cooc_err *err);
/* Free the stream and its space in the file, which may already be closed. */
void spool_drop(struct spool *t, struct spool_file *file);

/* Buffers small writes and appends pieces of SPOOL_PIECE bytes.  Initialise
 * with { .to = ..., .file = ... }. */
struct spool_writer {
    struct spool *to;
    struct spool_file *file;
    struct buf pending;
};

int spool_write(struct spool_writer *w, const void *data, size_t len,
                struct cooc_err *err);
/* Append the last piece and release the writer.  rc is the status so far: if it
 * is negative, or if this fails, the stream is dropped.  Returns rc or the new
 * error. */
int spool_writer_end(struct spool_writer *w, int rc, struct cooc_err *err);

struct spool_reader {
    const struct spool_file *file;
    const struct spool *stream;
    size_t piece;  /* index of the current piece */
    uint64_t at;   /* offset in that piece */
    uint64_t sum;  /* checksum of the piece up to that offset */
    uint64_t left; /* bytes of the stream not yet delivered */
    uint8_t *window;
    size_t cap;
    const uint8_t *next, *end; /* the next bytes to deliver, in the window or
                                * in a piece in memory */
};

/* Read t from its beginning through window[0..cap), which the caller owns. */
void spool_reader_init(struct spool_reader *r, const struct spool_file *file,
                       const struct spool *t, void *window, size_t cap);

int spool_read_on(struct spool_reader *r, void *out, size_t n,
                  struct cooc_err *err);

/* Read the next n bytes.  COOC_EIO if the stream has fewer bytes left. */
static inline int spool_read(struct spool_reader *r, void *out, size_t n,
                             struct cooc_err *err)
{
    if (n > (size_t)(r->end - r->next))
        return spool_read_on(r, out, n, err);
    memcpy(out, r->next, n);
    r->next += n;
    r->left -= n;
    return 0;
}

/* Return the next n bytes and skip them, or return NULL if they are not all in
 * the window; then use spool_read(). */
static inline const void *spool_peek(struct spool_reader *r, size_t n)
{
    const void *p = r->next;

    if (n > (size_t)(r->end - r->next))
        return NULL;
    r->next += n;
    r->left -= n;
    return p;
}

/* Continue at byte off of the stream, which must be less than its length. */
int spool_reader_seek(struct spool_reader *r, uint64_t off,
                      struct cooc_err *err);

int spool_varint(struct spool_reader *r, uint64_t *v, struct cooc_err *err);

/* Read the whole stream into out[0..t->len). */
int spool_load(const struct spool *t, const struct spool_file *file,
               void *out, struct cooc_err *err);

/* Return COOC_EIO: the bytes read from the file differ from those written. */
int spool_damaged(const struct spool_file *file, struct cooc_err *err);

#endif
