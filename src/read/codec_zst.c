/* codec_zst.c - decode zstd with libzstd, which verifies optional checksums. */
#include <zstd.h>
#include <zstd_errors.h>

#include "read/codec.h"

/* libzstd does not say how much it wrote before it failed, so it is asked for
 * pieces. */
#define PIECE ((size_t)16 << 10)

struct zst {
    ZSTD_DStream *z;
};

static enum codec_result result_of(size_t got, const char **why)
{
    if (!ZSTD_isError(got))
        return CODEC_MORE;
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        return CODEC_NOMEM;
    *why = ZSTD_getErrorName(got);
    return CODEC_DAMAGED;
}

static enum codec_result zst_begin(void *state)
{
    struct zst *s = state;
    const char *why;

    if (!s->z)
        s->z = ZSTD_createDStream();
    return s->z ? result_of(ZSTD_initDStream(s->z), &why) : CODEC_NOMEM;
}

static enum codec_result zst_step(void *state, struct codec_io *io)
{
    struct zst *s = state;
    ZSTD_inBuffer in = { io->in, io->in_len, 0 };
    ZSTD_outBuffer out;
    size_t got;

    do {
        out = (ZSTD_outBuffer){ io->out, PIECE, 0 };
        if (out.size > io->out_len)
            out.size = io->out_len;
        got = ZSTD_decompressStream(s->z, &out, &in);
        io->out += out.pos;
        io->out_len -= out.pos;
    } while (got && !ZSTD_isError(got) && io->out_len && out.pos == out.size);
    io->in += in.pos;
    io->in_len -= in.pos;
    return got == 0 ? CODEC_END : result_of(got, &io->why);
}

static void zst_release(void *state)
{
    struct zst *s = state;

    ZSTD_freeDStream(s->z);
}

const struct codec codec_zst = {
    .name = "zst",
    .size = sizeof(struct zst),
    .begin = zst_begin,
    .step = zst_step,
    .release = zst_release,
};
