/* gunzip.c - gzip, with every checksum looked at.
 *
 * The problem.  libarchive reads gzip but (3.6) ignores the CRC and length
 * behind each member, and takes bytes that are no member for the end of the
 * file.  A flipped bit would change counts, a damaged member header in the
 * middle of a WARC file would drop the rest of it, both without a word.  So
 * gzip is undone here by zlib, which checks, before libarchive sees it; all
 * other compressions carry checks that libarchive does look at.
 *
 * A file is one member after the other, then perhaps zeros (tapes pad).
 * Anything else behind a member is an error.
 */
#define ZLIB_CONST /* zlib: input is not written to */
#include "read/decompress.h"

#include <limits.h>
#include <stdbool.h>
#include <zlib.h>

#include "base/err.h"
#include "base/mem.h"

#define OUT_SIZE ((size_t)256 << 10)

struct gunzip {
    struct pull from;
    const char *name;
    const char *in; /* what is left of the block below */
    size_t in_len;
    bool inside;  /* a member has begun and not ended */
    bool padding; /* only zeros may follow */
    z_stream z;
    char *out;
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

static void gunzip_free(void *self)
{
    struct gunzip *g = self;

    inflateEnd(&g->z);
    mem_free(g->out);
    mem_free(g);
}

/* Between members, with input there: step over zeros, or begin the next. */
static int between(struct gunzip *g, struct cooc_err *err)
{
    if (*g->in == 0) {
        g->padding = true;
        g->in++;
        g->in_len--;
        return 0;
    }
    if (g->padding || *g->in != 0x1f)
        return err_path(err, COOC_EFORMAT, g->name,
                        "is damaged: other bytes follow the gzip data");
    if (inflateReset(&g->z) != Z_OK)
        return err_path(err, COOC_EIO, g->name,
                        "cannot decompress: zlib failed");
    g->inside = true;
    return 0;
}

/* Unpack some input of the current member. */
static int inside(struct gunzip *g, struct cooc_err *err)
{
    uInt n = g->in_len < UINT_MAX ? (uInt)g->in_len : UINT_MAX;
    int z;

    g->z.next_in = (const Bytef *)g->in;
    g->z.avail_in = n;
    z = inflate(&g->z, Z_NO_FLUSH);
    g->in += n - g->z.avail_in;
    g->in_len -= n - g->z.avail_in;
    if (z == Z_STREAM_END)
        g->inside = false;
    else if (z == Z_MEM_ERROR)
        return err_nomem(err);
    else if (z != Z_OK && z != Z_BUF_ERROR)
        return err_path(err, COOC_EFORMAT, g->name,
                        "is damaged: invalid gzip data: %s",
                        g->z.msg ? g->z.msg : "not a gzip member");
    return 0;
}

static int unpack_some(struct gunzip *g, struct cooc_err *err)
{
    int rc;

    g->z.next_out = (Bytef *)g->out;
    g->z.avail_out = OUT_SIZE;
    while (g->z.avail_out) {
        rc = 1;
        if (!g->in_len)
            rc = g->from.block(g->from.self, &g->in, &g->in_len, err);
        if (rc < 0)
            return rc;
        if (rc == 0 && g->inside)
            return err_path(err, COOC_EFORMAT, g->name,
                            "is truncated: the gzip data ends too early");
        if (rc == 0)
            break;
        rc = g->inside ? inside(g, err) : between(g, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int gunzip_block(void *self, const char **data, size_t *len,
                        struct cooc_err *err)
{
    struct gunzip *g = self;
    int rc = unpack_some(g, err);

    if (rc < 0)
        return rc;
    *data = g->out;
    *len = OUT_SIZE - g->z.avail_out;
    return *len > 0;
}

int gunzip_new(struct pull *out, const char *name, struct pull from,
               struct cooc_err *err)
{
    struct gunzip *g = mem_zarray(1, sizeof *g);
    int z;

    if (!g)
        return err_nomem(err);
    g->from = from;
    g->name = name;
    g->z.zalloc = zlib_alloc;
    g->z.zfree = zlib_free;
    g->out = mem_array(OUT_SIZE, 1);
    z = g->out ? inflateInit2(&g->z, 15 + 16) /* 16: gzip, nothing else */
               : Z_MEM_ERROR;
    if (z == Z_OK) {
        *out = (struct pull){ gunzip_block, g, gunzip_free };
        return 0;
    }
    gunzip_free(g);
    return z == Z_MEM_ERROR
               ? err_nomem(err)
               : err_path(err, COOC_EIO, name,
                          "cannot decompress: zlib failed");
}
