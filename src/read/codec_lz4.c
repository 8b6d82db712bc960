/* codec_lz4.c - decode lz4 with liblz4, which verifies optional checksums. */
#include <lz4frame.h>
#include <string.h>

#include "read/codec.h"

/* liblz4 does not say how much it wrote before it failed, so it is asked for
 * pieces. */
#define PIECE ((size_t)16 << 10)

struct lz4 {
    LZ4F_dctx *z;
};

/* liblz4 has no public constant for "out of memory", so the name of the error
 * is compared. */
static enum codec_result result_of(size_t got, const char **why)
{
    if (!LZ4F_isError(got))
        return CODEC_MORE;
    *why = LZ4F_getErrorName(got);
    return strcmp(*why, "ERROR_allocation_failed") == 0 ? CODEC_NOMEM
                                                        : CODEC_DAMAGED;
}

static enum codec_result lz4_begin(void *state)
{
    struct lz4 *s = state;
    const char *why;

    if (s->z) {
        LZ4F_resetDecompressionContext(s->z);
        return CODEC_MORE;
    }
    return result_of(LZ4F_createDecompressionContext(&s->z, LZ4F_VERSION),
                     &why);
}

static enum codec_result lz4_step(void *state, struct codec_io *io)
{
    struct lz4 *s = state;
    size_t got, in, out, size;

    do {
        in = io->in_len;
        out = size = io->out_len < PIECE ? io->out_len : PIECE;
        got = LZ4F_decompress(s->z, io->out, &out, io->in, &in, NULL);
        if (LZ4F_isError(got))
            return result_of(got, &io->why);
        io->in += in;
        io->in_len -= in;
        io->out += out;
        io->out_len -= out;
    } while (got && io->out_len && out == size);
    return got == 0 ? CODEC_END : CODEC_MORE;
}

static void lz4_release(void *state)
{
    struct lz4 *s = state;

    LZ4F_freeDecompressionContext(s->z);
}

const struct codec codec_lz4 = {
    .name = "lz4",
    .size = sizeof(struct lz4),
    .begin = lz4_begin,
    .step = lz4_step,
    .release = lz4_release,
};
