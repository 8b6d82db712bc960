/* codec_xz.c - decode xz with liblzma, which verifies all checksums. */
#include <lzma.h>
#include <stdint.h>

#include "base/mem.h"
#include "read/codec.h"

struct xz {
    lzma_stream z;
};

static void *xz_alloc(void *opaque, size_t n, size_t size)
{
    (void)opaque;
    return mem_array(n, size);
}

static void xz_free(void *opaque, void *p)
{
    (void)opaque;
    mem_free(p);
}

static const lzma_allocator allocator = { .alloc = xz_alloc, .free = xz_free };

static enum codec_result xz_begin(void *state)
{
    struct xz *x = state;
    lzma_ret z;

    x->z.allocator = &allocator;
    z = lzma_stream_decoder(&x->z, UINT64_MAX, 0); /* no memory limit */
    return z == LZMA_OK          ? CODEC_MORE
           : z == LZMA_MEM_ERROR ? CODEC_NOMEM
                                 : CODEC_DAMAGED;
}

static enum codec_result xz_step(void *state, struct codec_io *io)
{
    struct xz *x = state;
    lzma_ret z;

    x->z.next_in = (const uint8_t *)io->in;
    x->z.avail_in = io->in_len;
    x->z.next_out = (uint8_t *)io->out;
    x->z.avail_out = io->out_len;
    z = lzma_code(&x->z, LZMA_RUN);
    io->in += io->in_len - x->z.avail_in;
    io->in_len = x->z.avail_in;
    io->out += io->out_len - x->z.avail_out;
    io->out_len = x->z.avail_out;
    io->why = z == LZMA_FORMAT_ERROR    ? "not an xz header"
              : z == LZMA_OPTIONS_ERROR ? "unknown options"
                                        : NULL;
    return z == LZMA_STREAM_END  ? CODEC_END
           : z == LZMA_MEM_ERROR ? CODEC_NOMEM
           : z == LZMA_OK || z == LZMA_BUF_ERROR ? CODEC_MORE
                                                 : CODEC_DAMAGED;
}

static void xz_release(void *state)
{
    struct xz *x = state;

    lzma_end(&x->z);
}

const struct codec codec_xz = {
    .name = "xz",
    .padded = true,
    .size = sizeof(struct xz),
    .begin = xz_begin,
    .step = xz_step,
    .release = xz_release,
};
