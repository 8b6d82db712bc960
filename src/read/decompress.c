/* decompress.c - decompress a file, stream after stream.
 *
 * A file is a sequence of streams, optionally followed by zeros (tape padding).
 * Anything else after a stream is an error, and so is a stream without an end:
 * a damaged header in the middle of a WARC file must not drop the rest of the
 * file silently.  The bytes before the damage are returned before the error.
 */
#include "read/decompress.h"

#include <stdbool.h>

#include "base/mem.h"
#include "read/read.h"

#define OUT_SIZE ((size_t)256 << 10)

struct decompress {
    struct pull from;
    const char *name;
    const struct codec *codec;
    void *state;
    struct codec_io io; /* io.in: rest of the current input block */
    bool inside;        /* a stream has begun and has not ended */
    bool first;         /* the current stream is the first one */
    bool read;          /* some of the current stream was decoded */
    bool full;          /* the codec may have more output */
    bool padding;       /* zeros were found after a stream */
    char *out;
    struct cooc_err late; /* the error that follows out; code 0: none */
};

const struct codec *codec_of(enum magic magic)
{
    switch (magic) {
    case MAGIC_GZ:
        return &codec_gz;
    case MAGIC_BZ2:
        return &codec_bz2;
    case MAGIC_XZ:
        return &codec_xz;
    case MAGIC_ZST:
        return &codec_zst;
    default:
        return &codec_lz4;
    }
}

static int follows(const struct decompress *d, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, d->name,
                    "is damaged: other bytes follow the %s data",
                    d->codec->name);
}

static int check(struct decompress *d, enum codec_result result,
                 struct cooc_err *err)
{
    const char *why = d->io.why;

    if (result == CODEC_NOMEM)
        return err_nomem(err);
    if (result != CODEC_DAMAGED)
        return 0;
    if (!d->first && !d->read)
        return follows(d, err);
    return err_path(err, COOC_EFORMAT, d->name,
                    "the %s data is damaged%s%s", d->codec->name,
                    why ? ": " : "", why ? why : "");
}

/* Between streams, with input available: skip a zero, or begin the next
 * stream. */
static int between(struct decompress *d, struct cooc_err *err)
{
    if (*d->io.in == 0) {
        d->padding = true;
        d->io.in++;
        d->io.in_len--;
        return 0;
    }
    if (d->padding && !d->codec->padded)
        return follows(d, err);
    d->inside = true;
    d->read = false;
    d->io.why = NULL;
    return check(d, d->codec->begin(d->state), err);
}

/* Decode some input of the current stream. */
static int inside(struct decompress *d, struct cooc_err *err)
{
    size_t room = d->io.out_len;
    enum codec_result result = d->codec->step(d->state, &d->io);

    d->full = d->io.out_len == 0;
    d->read = d->read || d->io.out_len < room;
    if (result == CODEC_END) {
        d->inside = false;
        d->first = false;
        d->full = false;
    }
    return check(d, result, err);
}

static int decode_some(struct decompress *d, struct cooc_err *err)
{
    d->io.out = d->out;
    d->io.out_len = OUT_SIZE;
    while (d->io.out_len) {
        int rc = 1;

        if (!d->io.in_len && !d->full)
            rc = d->from.block(d->from.self, &d->io.in, &d->io.in_len, err);
        if (rc < 0)
            return rc;
        if (rc == 0 && d->inside)
            return err_path(err, COOC_EFORMAT, d->name,
                            "the %s data is truncated", d->codec->name);
        if (rc == 0)
            break;
        rc = d->inside ? inside(d, err) : between(d, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int decompress_block(void *self, const char **data, size_t *len,
                            struct cooc_err *err)
{
    struct decompress *d = self;
    struct cooc_err why = { 0 };
    int rc;

    if (d->late.code)
        return err_copy(err, &d->late);
    rc = decode_some(d, &why);
    *data = d->out;
    *len = OUT_SIZE - d->io.out_len;
    if (rc < 0 && (*len == 0 || !reader_is_bad(rc)))
        return err_copy(err, &why);
    d->late = why;
    return *len > 0;
}

static void decompress_free(void *self)
{
    struct decompress *d = self;

    if (d->state)
        d->codec->release(d->state);
    mem_free(d->state);
    mem_free(d->out);
    mem_free(d);
}

int decompress_new(struct pull *out, const char *name,
                   const struct codec *codec, struct pull from,
                   struct cooc_err *err)
{
    struct decompress *d = mem_zarray(1, sizeof *d);

    if (!d)
        return err_nomem(err);
    d->from = from;
    d->name = name;
    d->codec = codec;
    d->first = true;
    d->state = mem_zarray(1, codec->size);
    d->out = mem_array(OUT_SIZE, 1);
    if (!d->state || !d->out) {
        decompress_free(d);
        return err_nomem(err);
    }
    *out = (struct pull){ decompress_block, d, decompress_free };
    return 0;
}
