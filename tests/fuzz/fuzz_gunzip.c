/* fuzz_gunzip.c - gzip, in blocks cut anywhere, decompressed.
 *
 *     u8 size of the blocks; the packed bytes
 */
#include "fuzz.h"

#include "base/buf.h"
#include "base/err.h"
#include "read/decompress.h"

#define ENOUGH ((size_t)1 << 20)

struct source {
    struct bytes left;
    size_t size, done;
    char *block; /* of exact size, for sanitizers */
};

static int next_block(void *self, const char **data, size_t *len,
                      struct cooc_err *err)
{
    struct source *s = self;
    struct bytes b = take_bytes(&s->left, s->size);

    (void)err;
    free(s->block);
    s->block = malloc(b.n ? b.n : 1);
    MUST(s->block);
    if (b.n)
        memcpy(s->block, b.p, b.n);
    *data = s->block;
    *len = b.n;
    return b.n > 0;
}

static int unzip(struct bytes in, size_t size, struct buf *out)
{
    struct source s = { .left = in, .size = size };
    struct pull from = { next_block, &s, NULL }, g = { 0 };
    struct cooc_err err = { 0 };
    const char *data;
    size_t len;
    int rc = decompress_new(&g, "f", &codec_gz, from, &err);

    while (rc >= 0 && out->len < ENOUGH &&
           (rc = g.block(g.self, &data, &len, &err)) > 0)
        MUST(buf_add(out, data, len, NULL) == 0);
    MUST(rc >= 0 || err.text[0]);
    if (g.free)
        g.free(g.self);
    free(s.block);
    return rc;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size };
    size_t block = 2 + take_byte(&in);
    struct buf whole = { 0 }, cut = { 0 };
    int rc = unzip(in, in.n + 1, &whole), other = unzip(in, block, &cut);

    if (whole.len < ENOUGH && cut.len < ENOUGH) {
        MUST(rc == other);
        MUST(rc < 0 || (whole.len == cut.len &&
                        (!whole.len ||
                         !memcmp(whole.data, cut.data, whole.len))));
    }
    buf_release(&whole);
    buf_release(&cut);
}
