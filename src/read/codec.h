/* codec.h - one compression library behind one interface.
 *
 * A compressed file is a sequence of streams (gzip: members, zstd and lz4:
 * frames).  decompress.c begins each stream and moves the bytes; a codec
 * decodes them.
 *
 * Every library is called directly.  libarchive, which can call them too, has
 * no way to set an allocator, and after a failed allocation it may report
 * damage, crash or exit (docs/DECISIONS.md).
 */
#ifndef COOC_CODEC_H
#define COOC_CODEC_H

#include <stdbool.h>
#include <stddef.h>

enum codec_result {
    CODEC_MORE,    /* the stream goes on */
    CODEC_END,     /* the stream has ended */
    CODEC_DAMAGED, /* io->why says more, or is NULL */
    CODEC_NOMEM
};

struct codec_io {
    const char *in; /* moved past the bytes that were used */
    size_t in_len;
    char *out; /* moved past the bytes that were written */
    size_t out_len;
    const char *why; /* a static string */
};

struct codec {
    const char *name;
    bool padded;             /* streams may follow padding with zeros */
    size_t size;             /* of the state, which is zeroed before begin */
    enum codec_result (*begin)(void *state); /* before each stream */
    enum codec_result (*step)(void *state, struct codec_io *io);
    void (*release)(void *state); /* also if begin was never called */
};

extern const struct codec codec_gz, codec_bz2, codec_xz, codec_zst, codec_lz4;
/* Deflated data as in zip files, without a header or checksum. */
extern const struct codec codec_deflate;

#endif
