/* spool.h - many streams of bytes in one nameless temporary file.
 *
 * A stream is written piece by piece, each piece wherever the file ends at
 * that moment, and read front to back through a small window.  So any number
 * of streams can be written at the same time and kept, with one file open.
 * Pieces stay in memory as long as the file has room for them there.
 *
 * Every piece in the file has a checksum, kept in memory.  A reader with a
 * window smaller than a piece may have seen most of the piece before it is
 * known to be damaged, but no reader reaches the end of a damaged stream.
 *
 * Threads    Different streams may be written and read at the same time.
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

/* The smallest window, in bytes. */
#define SPOOL_BLOCK ((size_t)4096)
/* A spool_writer writes pieces of this size, in bytes. */
#define SPOOL_PIECE ((size_t)65536)

struct spool_file {
    int fd;
    const char *dir; /* where it lives, for messages */
    bool fixed_dir;  /* the user cannot name another one; false at first */
    uint64_t room;   /* bytes of pieces that may stay in memory; 0 at first */
    atomic_uint_fast64_t kept; /* bytes of pieces in memory */
    atomic_uint_fast64_t end;  /* bytes of the file */
};

int spool_file_open(struct spool_file *file, const char *dir,
                    struct cooc_err *err);
void spool_file_close(struct spool_file *file); /* also if open failed */

/* All zero is an empty stream. */
struct spool {
    struct piece {
        uint8_t *memory; /* NULL: it is in the file */
        uint64_t off, len, sum;
    } * pieces;
    size_t n;
    uint64_t len;
};

/* Append a piece. */
int spool_add(struct spool *t, struct spool_file *file, const void *data,
              size_t len, struct cooc_err *err);
/* Free the stream and its room in the file, which may be closed already. */
void spool_drop(struct spool *t, struct spool_file *file);

/* Collects bytes until they make a piece.  Set to and file to begin. */
struct spool_writer {
    struct spool *to;
    struct spool_file *file;
    struct buf pending;
};

int spool_write(struct spool_writer *w, const void *data, size_t len,
                struct cooc_err *err);
/* Write the last piece and release the writer.  If rc says that something has
 * failed, or if this fails, drop the stream.  Returns rc or the new error. */
int spool_writer_end(struct spool_writer *w, int rc, struct cooc_err *err);

struct spool_reader {
    const struct spool_file *file;
    const struct spool *stream;
    size_t piece;  /* being read */
    uint64_t at;   /* in that piece */
    uint64_t sum;  /* of the piece up to there */
    uint64_t left; /* in the stream */
    uint8_t *window;
    size_t cap;
    const uint8_t *next, *end; /* bytes of the window, or of a piece in
                                * memory, to deliver next */
};

/* Read t from its beginning through window[0..cap), which is the caller's. */
void spool_reader_init(struct spool_reader *r, const struct spool_file *file,
                       const struct spool *t, void *window, size_t cap);

int spool_read_on(struct spool_reader *r, void *out, size_t n,
                  struct cooc_err *err);

/* The next n bytes; spool_damaged() if there are fewer. */
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

int spool_varint(struct spool_reader *r, uint64_t *v, struct cooc_err *err);

/* All bytes of t into out[0..t->len). */
int spool_load(const struct spool *t, const struct spool_file *file,
               void *out, struct cooc_err *err);

/* COOC_EIO: what was read from the file is not what was written. */
int spool_damaged(const struct spool_file *file, struct cooc_err *err);

#endif
