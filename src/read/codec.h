/* codec.h - the interface to the compression libraries.
 *
 * A compressed file is a sequence of streams (gzip calls them members; zstd and
 * lz4 call them frames).  decompress.c begins each stream and moves the bytes;
 * a codec decodes them.
 *
 * Every library is called directly.  libarchive can also call them, but it has
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
    CODEC_DAMAGED, /* io->why is the reason, or NULL; io->out is moved past
                    * what was decoded before the damage */
    CODEC_NOMEM
};

struct codec_io {
    const char *in; /* moved past the bytes that were used */
    size_t in_len;
    char *out; /* moved past the bytes that were written */
    size_t out_len;
    const char *why; /* reason of CODEC_DAMAGED: a static string, or NULL */
};

struct codec {
    const char *name;
    bool padded;             /* more streams may follow zero padding */
    size_t size;             /* of the state, which is zeroed before begin */
    enum codec_result (*begin)(void *state); /* before each stream */
    enum codec_result (*step)(void *state, struct codec_io *io);
    void (*release)(void *state); /* also if begin was never called */
};

extern const struct codec codec_gz, codec_bz2, codec_xz, codec_zst, codec_lz4;
/* Raw deflate, as in zip files: no header and no checksum. */
extern const struct codec codec_deflate;

#endif
