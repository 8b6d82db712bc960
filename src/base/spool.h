/* spool.h - many streams of bytes in one nameless temporary file.
 *
 * A stream is written piece by piece, each piece wherever the file ends at
 * that moment, and read front to back through a small window.  So any number
 * of streams can be written at the same time and kept, with one file open.
 *
 * Every piece has a checksum, kept in memory.  A reader may have seen most of
 * a piece before it is known to be damaged, but nobody reads a damaged stream
 * to its end.
 *
 * Threads    Different streams may be written and read at the same time.
 */
#ifndef COOC_SPOOL_H
#define COOC_SPOOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;

/* A window has room for so many bytes at least. */
#define SPOOL_BLOCK ((size_t)4096)

struct spool_file {
    int fd;
    const char *dir; /* where it lives, for messages */
    atomic_uint_fast64_t end;
};

int spool_file_open(struct spool_file *s, const char *dir,
                    struct cooc_err *err);
void spool_file_close(struct spool_file *s); /* also if open failed */

/* All zero is an empty stream. */
struct spool {
    struct piece {
        uint64_t off, len, sum;
    } * pieces;
    size_t n;
    uint64_t len;
};

int spool_add(struct spool *t, struct spool_file *s, const void *data,
              size_t len, struct cooc_err *err);
/* Free it and its room on the disk. */
void spool_drop(struct spool *t, struct spool_file *s);

struct spool_reader {
    const struct spool_file *spool;
    const struct spool *stream;
    size_t piece;  /* being read */
    uint64_t at;   /* in that piece */
    uint64_t sum;  /* of what is before */
    uint64_t left; /* in the stream, the window included */
    uint8_t *window;
    size_t cap, pos, have;
};

/* Read t from its beginning through window[0..cap), which is the caller's. */
void spool_reader_init(struct spool_reader *r, const struct spool_file *s,
                       const struct spool *t, void *window, size_t cap);
/* The next n bytes; COOC_EFORMAT if there are fewer. */
int spool_read(struct spool_reader *r, void *out, size_t n,
               struct cooc_err *err);
int spool_varint(struct spool_reader *r, uint64_t *v, struct cooc_err *err);

#endif
