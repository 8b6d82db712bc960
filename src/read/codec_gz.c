/* codec_gz.c - decode gzip, verifying CRC and length, and raw deflate, with
 * zlib. */
#define ZLIB_CONST /* zlib takes const input */
#include <limits.h>
#include <zlib.h>

#include "base/mem.h"
#include "read/codec.h"

#define GZIP_ONLY (15 + 16) /* largest window; accept gzip headers only */
#define RAW (-15)

struct gz {
    z_stream z;
    bool begun;
};

static voidpf zlib_alloc(voidpf opaque, uInt n, uInt size)
{
    (void)opaque;
    return mem_zarray(n, size);
}

static void zlib_free(voidpf opaque, voidpf p)
{
    (void)opaque;
    mem_free(p);
}

static enum codec_result begin(struct gz *g, int window)
{
    int z;

    if (g->begun)
        return inflateReset(&g->z) == Z_OK ? CODEC_MORE : CODEC_DAMAGED;
    g->z.zalloc = zlib_alloc;
    g->z.zfree = zlib_free;
    z = inflateInit2(&g->z, window);
    g->begun = z == Z_OK;
    return z == Z_OK          ? CODEC_MORE
           : z == Z_MEM_ERROR ? CODEC_NOMEM
                              : CODEC_DAMAGED;
}

static enum codec_result gz_begin(void *state)
{
    return begin(state, GZIP_ONLY);
}

static enum codec_result deflate_begin(void *state)
{
    return begin(state, RAW);
}

static enum codec_result gz_step(void *state, struct codec_io *io)
{
    struct gz *g = state;
    uInt n = io->in_len < UINT_MAX ? (uInt)io->in_len : UINT_MAX;
    uInt room = io->out_len < UINT_MAX ? (uInt)io->out_len : UINT_MAX;
    int z;

    g->z.next_in = (const Bytef *)io->in;
    g->z.avail_in = n;
    g->z.next_out = (Bytef *)io->out;
    g->z.avail_out = room;
    z = inflate(&g->z, Z_NO_FLUSH);
    io->in += n - g->z.avail_in;
    io->in_len -= n - g->z.avail_in;
    io->out += room - g->z.avail_out;
    io->out_len -= room - g->z.avail_out;
    io->why = g->z.msg;
    return z == Z_STREAM_END                  ? CODEC_END
           : z == Z_MEM_ERROR                 ? CODEC_NOMEM
           : z == Z_OK || z == Z_BUF_ERROR ? CODEC_MORE
                                              : CODEC_DAMAGED;
}

static void gz_release(void *state)
{
    struct gz *g = state;

    if (g->begun)
        inflateEnd(&g->z);
}

const struct codec codec_gz = {
    .name = "gz",
    .size = sizeof(struct gz),
    .begin = gz_begin,
    .step = gz_step,
    .release = gz_release,
};

const struct codec codec_deflate = {
    .name = "deflated",
    .size = sizeof(struct gz),
    .begin = deflate_begin,
    .step = gz_step,
    .release = gz_release,
};
