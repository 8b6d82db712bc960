/* zip.c - read zip archives, by their directory or from front to back.
 *
 * A zip file has its directory at the end, which also distinguishes files from
 * links and folders.  A pipe is read from front to back, by the header of each
 * entry, until the directory begins.  In a pipe, the sizes and the CRC of an
 * entry may follow its data: a codec knows where its compressed stream ends,
 * and stored data ends at a descriptor with the right size and CRC.
 *
 * The CRC and the sizes of every entry that is read to its end are verified.
 *
 * libarchive is not used because it exits if it cannot allocate memory for a
 * name (docs/DECISIONS.md).
 */
#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/codec.h"
#include "read/container.h"
#include "read/read.h"
#include "read/zip_header.h"

#define OUT_SIZE ((size_t)256 << 10)
#define DESCRIPTOR_MAX 24u
#define NEAR ((uint64_t)1 << 20)
#define RECORD_MAX (ZIP_LOCAL_LEN + 2 * 65535u)

enum method {
    STORED = 0,
    DEFLATED = 8,
    BZIP2 = 12,
    ZSTD = 93,
    XZ = 95
};

struct zip {
    const char *name;
    struct lookahead *from;
    int fd;                      /* -1: read from front to back */
    struct zip_directory directory;
    size_t next;                 /* next entry of directory */
    uint64_t pos;                /* position in the file */
    bool begun;
    struct buf path;

    struct zip_record entry;
    const struct codec *codec;   /* of the entry; NULL: stored */
    const struct codec *made;    /* the codec that state belongs to */
    void *state;
    char *out;
    uint64_t left;               /* compressed bytes left, unless open_ended */
    uint64_t done;               /* decompressed bytes so far */
    uint64_t taken;              /* compressed bytes read so far */
    uint32_t crc;
    bool open_ended;             /* the sizes follow the data */
    bool full;                   /* the codec may have more output */
    bool ended;
    struct cooc_err late;        /* the error that follows out; code 0: none */
};

static int damaged(const struct zip *z, const char *what,
                   struct cooc_err *err)
{
    if (!z->begun)
        return err_path(err, COOC_EFORMAT, z->name,
                        "begins like a zip archive, but its first header is "
                        "damaged");
    if (!z->path.len)
        return err_path(err, COOC_EFORMAT, z->name,
                        "the zip archive is damaged: %s", what);
    return err_path(err, COOC_EFORMAT, z->name,
                    "the zip archive is damaged at '%s': %s", z->path.data,
                    what);
}

static void pass(struct zip *z, size_t n)
{
    lookahead_use(z->from, n);
    z->pos += n;
}

/* ---- the bytes of an entry ---------------------------------------------- */

static int codec_for(struct zip *z, struct cooc_err *err)
{
    unsigned method = z->entry.method;

    z->codec = method == DEFLATED ? &codec_deflate
               : method == BZIP2  ? &codec_bz2
               : method == ZSTD   ? &codec_zst
               : method == XZ     ? &codec_xz
                                  : NULL;
    if (z->entry.flags & (ZIP_ENCRYPTED | ZIP_STRONG | ZIP_MASKED))
        return err_path(err, COOC_EFORMAT, z->name,
                        "'%s' is encrypted, which is not supported; unpack "
                        "the archive first", z->path.data);
    if (!z->codec && method != STORED)
        return err_path(err, COOC_EFORMAT, z->name,
                        "'%s' has zip compression method %u, which is not "
                        "supported; unpack the archive first", z->path.data,
                        method);
    return 0;
}

/* Prepare the codec, when the first bytes of an entry are requested. */
static int begin_codec(struct zip *z, struct cooc_err *err)
{
    int rc = codec_for(z, err);

    if (rc < 0 || !z->codec)
        return rc;
    if (z->made != z->codec) {
        if (z->made)
            z->made->release(z->state);
        mem_free(z->state);
        z->made = NULL;
        z->state = mem_zarray(1, z->codec->size);
        if (!z->state)
            return err_nomem(err);
        z->made = z->codec;
    }
    if (!z->out)
        z->out = mem_array(OUT_SIZE, 1);
    if (!z->out)
        return err_nomem(err);
    switch (z->codec->begin(z->state)) {
    case CODEC_NOMEM:
        return err_nomem(err);
    case CODEC_DAMAGED:
        return damaged(z, "the codec does not start", err);
    default:
        return 0;
    }
}

/* Peek at some compressed bytes; *len is 0 only if none are left. */
static int packed(struct zip *z, const char **data, size_t *len,
                  struct cooc_err *err)
{
    int rc;

    *len = 0;
    *data = "";
    if (!z->open_ended && z->left == 0)
        return 0;
    rc = lookahead_peek(z->from, 1, data, len, err);
    if (rc < 0)
        return rc;
    if (*len == 0)
        return damaged(z, "it is truncated", err);
    if (!z->open_ended && *len > z->left)
        *len = (size_t)z->left;
    return 0;
}

static void use(struct zip *z, size_t n)
{
    pass(z, n);
    z->taken += n;
    if (!z->open_ended)
        z->left -= n;
}

/* Read the sizes and the CRC that follow the data. */
static int read_descriptor(struct zip *z, struct cooc_err *err)
{
    size_t width = z->entry.zip64 ? 8 : 4, at = 0, len;
    const char *p;
    int rc = lookahead_peek(z->from, DESCRIPTOR_MAX, &p, &len, err);

    if (rc < 0)
        return rc;
    if (len >= 4 && memcmp(p, "PK\7\10", 4) == 0)
        at = 4;
    if (len < at + 4 + 2 * width)
        return damaged(z, "it is truncated", err);
    z->entry.crc = get_le32(p + at);
    z->entry.packed = width == 8 ? get_le64(p + at + 4) : get_le32(p + at + 4);
    z->entry.size = width == 8 ? get_le64(p + at + 4 + width)
                               : get_le32(p + at + 4 + width);
    pass(z, at + 4 + 2 * width);
    return 0;
}

/* At the end of the data, check its sizes and its CRC. */
static int check_end(struct zip *z, struct cooc_err *err)
{
    int rc = 0;

    z->ended = true;
    if (z->open_ended)
        rc = read_descriptor(z, err);
    if (rc < 0)
        return rc;
    if (z->taken != z->entry.packed || z->done != z->entry.size)
        return damaged(z, "the size of an entry differs", err);
    if (z->crc != z->entry.crc)
        return damaged(z, "the CRC of an entry differs", err);
    return 0;
}

/* Fill z->out, which has room for io->out_len more bytes. */
static int decode_some(struct zip *z, struct codec_io *io,
                       struct cooc_err *err)
{
    enum codec_result got = CODEC_MORE;

    while (io->out_len && got == CODEC_MORE) {
        size_t n;
        int rc = packed(z, &io->in, &n, err);

        if (rc < 0)
            return rc;
        if (n == 0 && !z->full)
            return damaged(z, "the data of an entry ends too early", err);
        io->in_len = n;
        got = z->codec->step(z->state, io);
        use(z, n - io->in_len);
        z->full = io->out_len == 0;
    }
    if (got == CODEC_NOMEM)
        return err_nomem(err);
    if (got == CODEC_DAMAGED)
        return damaged(z, io->why ? io->why : "the data of an entry", err);
    z->ended = got == CODEC_END;
    return 0;
}

/* As in decompress.c, the bytes before damage precede the error. */
static int unpack_block(struct zip *z, const char **data, size_t *len,
                        struct cooc_err *err)
{
    struct codec_io io = { .out = z->out, .out_len = OUT_SIZE };
    struct cooc_err why = { 0 };
    int rc;

    if (z->late.code)
        return err_copy(err, &z->late);
    rc = decode_some(z, &io, &why);
    *data = z->out;
    *len = OUT_SIZE - io.out_len;
    if (rc < 0 && (*len == 0 || !reader_is_bad(rc)))
        return err_copy(err, &why);
    z->late = why;
    return 0;
}

/* Return the next part of stored data of unknown size; *len is 0 at its
 * descriptor. */
static int stored_block(struct zip *z, const char **data, size_t *len,
                        struct cooc_err *err)
{
    const char *p, *next;
    size_t n;
    int rc = lookahead_peek(z->from, DESCRIPTOR_MAX, &p, &n, err);

    if (rc < 0)
        return rc;
    if (n < 16)
        return damaged(z, "it is truncated", err);
    *len = 0;
    if (memcmp(p, "PK\7\10", 4) == 0 && get_le32(p + 4) == z->crc &&
        get_le32(p + 8) == (uint32_t)z->done) {
        z->ended = true;
        return 0;
    }
    next = memchr(p + 1, 'P', n - 1);
    *data = p;
    *len = next ? (size_t)(next - p) : n;
    use(z, *len);
    return 0;
}

static int zip_block(void *self, const char **data, size_t *len,
                     struct cooc_err *err)
{
    struct zip *z = self;
    int rc = 0;

    if (z->ended)
        return 0;
    if (z->taken == 0 && z->done == 0)
        rc = begin_codec(z, err);
    if (rc == 0)
        rc = z->codec        ? unpack_block(z, data, len, err)
             : z->open_ended ? stored_block(z, data, len, err)
                             : packed(z, data, len, err);
    if (rc < 0)
        return rc;
    if (!z->codec && !z->open_ended) {
        use(z, *len);
        z->ended = *len == 0;
    }
    if (*len)
        z->crc = (uint32_t)crc32_z(z->crc, (const Bytef *)*data, *len);
    z->done += *len;
    if (z->ended)
        rc = check_end(z, err);
    return rc < 0 ? rc : *len > 0;
}

/* ---- entries ------------------------------------------------------------ */

static int set_path(struct zip *z, struct cooc_err *err)
{
    const struct zip_record *r = &z->entry;
    int rc;

    z->path.len = 0;
    if (r->name_len == 0)
        rc = buf_add(&z->path, "unnamed", 7, err);
    else
        rc = buf_add(&z->path, r->name, strnlen(r->name, r->name_len), err);
    if (rc == 0)
        rc = buf_text(&z->path, err);
    if (rc < 0 || !r->dos || strchr(z->path.data, '/'))
        return rc;
    for (char *p = z->path.data; *p; p++)
        if (*p == '\\')
            *p = '/';
    return 0;
}

static int begin_entry(struct zip *z, struct cooc_err *err)
{
    z->left = z->entry.packed;
    z->open_ended = z->fd < 0 && (z->entry.flags & ZIP_DESCRIPTOR);
    z->done = z->taken = 0;
    z->crc = 0;
    z->ended = z->full = false;
    z->late.code = 0;
    return set_path(z, err);
}

/* Continue at position pos.  Over a short distance, read instead of seeking. */
static int go_to(struct zip *z, uint64_t pos, struct cooc_err *err)
{
    while (z->pos <= pos && pos - z->pos <= NEAR) {
        const char *p;
        size_t len;
        int rc = lookahead_peek(z->from, 1, &p, &len, err);

        if (rc < 0 || z->pos == pos)
            return rc;
        if (len == 0)
            return damaged(z, "it is truncated", err);
        pass(z, len < pos - z->pos ? len : (size_t)(pos - z->pos));
    }
    if (lseek(z->fd, (off_t)pos, SEEK_SET) < 0)
        return errno == EINVAL ? damaged(z, "a place in its directory", err)
                               : err_sys(err, "cannot seek", z->name);
    lookahead_begin(z->from, z->from->from); /* drop the peeked bytes */
    z->pos = pos;
    return 0;
}

/* Move to the next entry in the directory: 1; 0: no more entries; < 0:
 * failed. */
static int entry_by_directory(struct zip *z, struct cooc_err *err)
{
    const struct zip_record *r = z->directory.items + z->next;
    struct zip_record local;
    const char *p;
    size_t len, used;
    int rc;

    if (z->next == z->directory.n)
        return 0;
    z->next++;
    rc = go_to(z, r->offset, err);
    if (rc == 0)
        rc = lookahead_peek(z->from, RECORD_MAX, &p, &len, err);
    if (rc < 0)
        return rc;
    z->path.len = 0;
    if (!zip_local(&local, p, len, &used))
        return damaged(z, "the header of an entry", err);
    pass(z, used);
    z->begun = true;
    z->entry = *r;
    rc = begin_entry(z, err);
    return rc < 0 ? rc : 1;
}

/* Skip what is left of the previous entry. */
static int skip_rest(struct zip *z, struct cooc_err *err)
{
    const char *p;
    size_t n;
    int rc = 1;

    if (!z->begun)
        return 0;
    while (!z->ended && z->open_ended && rc > 0)
        rc = zip_block(z, &p, &n, err);
    while (rc >= 0 && !z->open_ended && z->left) {
        rc = packed(z, &p, &n, err);
        if (rc == 0)
            use(z, n);
    }
    return rc < 0 ? rc : 0;
}

static int entry_in_order(struct zip *z, struct cooc_err *err)
{
    const char *p;
    size_t len, used;
    int rc = skip_rest(z, err);

    if (rc == 0)
        rc = lookahead_peek(z->from, RECORD_MAX, &p, &len, err);
    if (rc < 0)
        return rc;
    z->path.len = 0;
    if (!z->begun && len >= 8 && memcmp(p, "PK\7\10PK\3\4", 8) == 0) {
        pass(z, 4); /* the signature of a split archive */
        p += 4;
        len -= 4;
    }
    if (len >= 4 && zip_is_directory(p))
        return zip_directory_skip(z->from, z->name, err);
    if (!zip_local(&z->entry, p, len, &used))
        return damaged(z, len < ZIP_LOCAL_LEN ? "it is truncated"
                                              : "the header of an entry", err);
    z->begun = true;
    rc = begin_entry(z, err);
    pass(z, used);
    return rc < 0 ? rc : 1;
}

static int zip_entry(void *self, struct unpacked *out, struct cooc_err *err)
{
    struct zip *z = self;
    int rc = z->fd < 0 ? entry_in_order(z, err) : entry_by_directory(z, err);

    if (rc > 0)
        *out = (struct unpacked){ .path = z->path.data,
                                  .regular = z->entry.regular };
    return rc;
}

static void zip_free(void *self)
{
    struct zip *z = self;

    if (z->made)
        z->made->release(z->state);
    mem_free(z->state);
    mem_free(z->out);
    buf_release(&z->path);
    zip_directory_release(&z->directory);
    mem_free(z);
}

int zip_new(struct container *out, const char *name, struct lookahead *from,
            int fd, struct cooc_err *err)
{
    struct zip *z = mem_zarray(1, sizeof *z);
    int rc = 0;

    if (!z)
        return err_nomem(err);
    z->name = name;
    z->from = from;
    z->fd = fd;
    if (fd >= 0)
        rc = zip_directory_read(&z->directory, name, fd, err);
    if (rc == 0)
        z->fd = -1; /* no directory: read from front to back */
    if (rc < 0)
        zip_free(z);
    else
        *out = (struct container){ zip_entry, zip_block, z, zip_free };
    return rc < 0 ? rc : 0;
}

int zip_lists(const struct container *zip, const char *path)
{
    const struct zip *z = zip->self;
    size_t len = strlen(path);

    if (z->fd < 0)
        return -1;
    for (size_t i = 0; i < z->directory.n; i++) {
        const struct zip_record *r = &z->directory.items[i];

        if (r->name_len == len && memcmp(r->name, path, len) == 0)
            return 1;
    }
    return 0;
}
