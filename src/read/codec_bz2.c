/* codec_bz2.c - decode bzip2 with libbz2, which verifies all checksums. */
#include <bzlib.h>
#include <limits.h>
#include <stdint.h>

#include "base/mem.h"
#include "read/codec.h"

struct bz2 {
    bz_stream z;
    bool begun;
};

static void *bz2_alloc(void *opaque, int n, int size)
{
    (void)opaque;
    return mem_array((size_t)n, (size_t)size);
}

static void bz2_free(void *opaque, void *p)
{
    (void)opaque;
    mem_free(p);
}

static void bz2_release(void *state)
{
    struct bz2 *b = state;

    if (b->begun)
        BZ2_bzDecompressEnd(&b->z);
    b->begun = false;
}

static enum codec_result bz2_begin(void *state)
{
    struct bz2 *b = state;
    int z;

    bz2_release(b);
    b->z = (bz_stream){ .bzalloc = bz2_alloc, .bzfree = bz2_free };
    z = BZ2_bzDecompressInit(&b->z, 0, 0);
    b->begun = z == BZ_OK;
    return z == BZ_OK          ? CODEC_MORE
           : z == BZ_MEM_ERROR ? CODEC_NOMEM
                               : CODEC_DAMAGED;
}

static enum codec_result bz2_step(void *state, struct codec_io *io)
{
    struct bz2 *b = state;
    unsigned n = io->in_len < UINT_MAX ? (unsigned)io->in_len : UINT_MAX;
    unsigned room = io->out_len < UINT_MAX ? (unsigned)io->out_len : UINT_MAX;
    int z;

    b->z.next_in = (char *)(uintptr_t)io->in; /* libbz2 only reads it */
    b->z.avail_in = n;
    b->z.next_out = io->out;
    b->z.avail_out = room;
    z = BZ2_bzDecompress(&b->z);
    io->in += n - b->z.avail_in;
    io->in_len -= n - b->z.avail_in;
    io->out += room - b->z.avail_out;
    io->out_len -= room - b->z.avail_out;
    io->why = z == BZ_DATA_ERROR ? "a checksum differs or a block is wrong"
                                 : NULL;
    return z == BZ_STREAM_END  ? CODEC_END
           : z == BZ_MEM_ERROR ? CODEC_NOMEM
           : z == BZ_OK        ? CODEC_MORE
                               : CODEC_DAMAGED;
}

const struct codec codec_bz2 = {
    .name = "bz2",
    .size = sizeof(struct bz2),
    .begin = bz2_begin,
    .step = bz2_step,
    .release = bz2_release,
};
