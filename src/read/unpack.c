/* unpack.c - decompression, layer by layer, and containers by libarchive.
 *
 *     from -> [gunzip or decompress, while it is compressed]
 *          -> plain: the blocks as they are
 *          -> tar, zip: libarchive -> entries
 *
 * The first bytes of each layer decide (packing.c), and libarchive is asked
 * for just what they say: its own guesses take some text for an archive.  A
 * plain file passes through as the blocks it was read in, without a copy.
 *
 * Nothing may be cut off quietly: warnings such as a wrong CRC in a zip count
 * as errors, and what follows the end of a tar archive is read as another.
 *
 * libarchive hands out the names of entries in the locale's encoding, which
 * is the caller's business and "C" in most libraries.  So this thread is
 * lent a UTF-8 locale while a header is read.
 */
#include "read/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/ahead.h"
#include "read/decompress.h"
#include "read/gunzip.h"

#define LAYERS_MAX 4 /* compressed, and that again, ... */

struct layer {
    struct gunzip *gz;        /* one of these, */
    struct decompress *other; /* but neither in the lowest layer */
    struct ahead out;
};

struct unpack {
    const char *name;
    struct layer layers[LAYERS_MAX + 1];
    struct ahead *top; /* of the layers */
    struct archive *a; /* NULL: no container */
    struct archive_entry *entry; /* ours: libarchive may have none of its own */
    int fd;
    locale_t utf8; /* 0: not needed, or the system has none */
    bool empty;    /* a container of nothing */
    bool begun;    /* an entry was handed out */

    int rc; /* what went wrong while libarchive asked for blocks */
    struct cooc_err err;

    /* The entry: position, a block behind a hole, what was peeked at. */
    int64_t pos;
    const char *next;
    size_t next_len;
    int64_t next_pos;
    struct ahead out;
};

static const char zeros[4096];

/* ---- layers ------------------------------------------------------------- */

static int gunzip_pull(void *self, const char **data, size_t *len,
                       struct cooc_err *err)
{
    return gunzip_block(self, data, len, err);
}

static int decompress_pull(void *self, const char **data, size_t *len,
                           struct cooc_err *err)
{
    return decompress_block(self, data, len, err);
}

static int add_layer(struct unpack *u, struct layer *l, enum packing packing,
                     struct cooc_err *err)
{
    struct pull below = ahead_pull(u->top), from;
    int rc;

    if (packing == PACKING_GZ) {
        rc = gunzip_new(&l->gz, u->name, below, err);
        from = (struct pull){ gunzip_pull, l->gz };
    } else {
        rc = decompress_new(&l->other, u->name, packing, below, err);
        from = (struct pull){ decompress_pull, l->other };
    }
    ahead_begin(&l->out, from);
    u->top = &l->out;
    return rc;
}

/* Decompress until what comes out is not compressed: *packing says what it
 * is then, and u->fd is -1 unless it is the file itself. */
static int open_layers(struct unpack *u, struct pull from,
                       enum packing *packing, struct cooc_err *err)
{
    const char *head;
    size_t len, n = 0;
    int rc;

    ahead_begin(&u->layers[0].out, from);
    u->top = &u->layers[0].out;
    for (;;) {
        rc = ahead_peek(u->top, PACKING_HEAD, &head, &len, err);
        if (rc < 0)
            return rc;
        *packing = packing_of(head, len);
        if (!packing_is_compressed(*packing))
            return 0;
        if (n == LAYERS_MAX)
            return err_set(err, COOC_ELIMIT,
                           "%s: compressed more than %d times over; "
                           "decompress it first", u->name, LAYERS_MAX);
        u->fd = -1;
        rc = add_layer(u, &u->layers[++n], *packing, err);
        if (rc < 0)
            return rc;
    }
}

/* ---- containers --------------------------------------------------------- */

static la_ssize_t give_block(struct archive *a, void *self, const void **data)
{
    struct unpack *u = self;
    const char *block = NULL;
    size_t len = 0;
    int rc = ahead_block(u->top, &block, &len, &u->err);

    if (rc < 0) {
        u->rc = rc;
        archive_set_error(a, EIO, "read failed");
        return ARCHIVE_FATAL;
    }
    *data = block;
    return rc > 0 ? (la_ssize_t)len : 0;
}

static la_int64_t move_file(struct archive *a, void *self, la_int64_t offset,
                            int whence)
{
    struct unpack *u = self;
    off_t to = lseek(u->fd, (off_t)offset, whence);

    ahead_begin(u->top, u->top->from); /* it was read from elsewhere */
    if (to < 0) {
        u->rc = err_sys(&u->err, "seek", u->name);
        archive_set_error(a, errno, "seek failed");
        return ARCHIVE_FATAL;
    }
    return to;
}

/* What libarchive complains about, or what a callback met below it. */
static int archive_failed(struct unpack *u, struct cooc_err *err)
{
    if (u->rc < 0)
        return err_set(err, u->rc, "%s", u->err.text);
    return archive_says(u->a, u->name, err);
}

#define PADDING_MAX ((uint64_t)1 << 20) /* of an empty tar archive */

/* NUL bytes are an empty tar archive, whatever follows them.  A text that lost
 * its first block must not be read as empty. */
static int check_zeros(struct unpack *u, struct cooc_err *err)
{
    uint64_t left = PADDING_MAX;
    const char *p;
    size_t n;
    int rc;

    while ((rc = ahead_block(u->top, &p, &n, err)) > 0 && n <= left) {
        left -= n;
        while (n && *p == 0)
            p++, n--;
        if (n)
            break;
    }
    u->empty = true;
    return rc <= 0 ? rc
                   : err_set(err, COOC_EFORMAT,
                             "%s: begins with NUL bytes; its beginning may be "
                             "lost; remove them to read the rest",
                             u->name);
}

static bool opens(struct unpack *u, enum packing packing)
{
    struct archive *a = u->a;

    if (archive_read_set_read_callback(a, give_block) != ARCHIVE_OK ||
        archive_read_set_callback_data(a, u) != ARCHIVE_OK)
        return false;
    if (packing == PACKING_TAR)
        return archive_read_support_format_tar(a) == ARCHIVE_OK &&
               archive_read_set_format_option(
                   a, "tar", "read_concatenated_archives", "1") == ARCHIVE_OK;
    if (u->fd < 0)
        return archive_read_support_format_zip_streamable(a) == ARCHIVE_OK;
    return archive_read_support_format_zip(a) == ARCHIVE_OK &&
           archive_read_set_seek_callback(a, move_file) == ARCHIVE_OK;
}

static int open_container(struct unpack *u, enum packing packing,
                          struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc = ahead_peek(u->top, PACKING_HEAD, &head, &len, err);

    if (rc < 0)
        return rc;
    if (packing == PACKING_TAR && head[0] == 0)
        return check_zeros(u, err);
    u->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    u->a = archive_read_new();
    u->entry = u->a ? archive_entry_new2(u->a) : NULL;
    if (!u->entry || !opens(u, packing))
        return err_nomem(err); /* these calls fail only without memory */
    if (archive_read_open1(u->a) == ARCHIVE_OK)
        return 0;
    if (u->rc == 0 && archive_errno(u->a) != ENOMEM)
        return err_set(err, COOC_EFORMAT,
                       "%s: begins like a %s archive, but its first header is "
                       "damaged", u->name, packing_name(packing));
    return archive_failed(u, err);
}

int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               bool nested, struct cooc_err *err)
{
    struct unpack *u = mem_zarray(1, sizeof *u);
    enum packing packing;
    int rc;

    *out = NULL;
    if (!u)
        return err_nomem(err);
    u->name = name;
    u->fd = fd;
    rc = open_layers(u, from, &packing, err);
    if (rc == 0 && packing != PACKING_NONE && !nested)
        rc = open_container(u, packing, err);
    if (rc < 0)
        goto out;
    *out = u;
    u = NULL;
out:
    unpack_free(u);
    return rc;
}

void unpack_free(struct unpack *u)
{
    if (!u)
        return;
    ahead_release(&u->out);
    archive_entry_free(u->entry);
    archive_read_free(u->a);
    if (u->utf8)
        freelocale(u->utf8);
    for (size_t i = LAYERS_MAX + 1; i-- > 0;) {
        ahead_release(&u->layers[i].out);
        gunzip_free(u->layers[i].gz);
        decompress_free(u->layers[i].other);
    }
    mem_free(u);
}

/* ---- entries ------------------------------------------------------------ */

static int read_entry_header(struct unpack *u, struct unpacked *out)
{
    locale_t before = u->utf8 ? uselocale(u->utf8) : (locale_t)0;
    struct archive_entry *e = u->entry;
    int got;

    got = archive_read_next_header2(u->a, e); /* to try again would skip it */
    if (got == ARCHIVE_OK || got == ARCHIVE_WARN) {
        out->path = archive_entry_pathname(e);
        if (!out->path || !*out->path)
            out->path = archive_entry_pathname_utf8(e);
        if (!out->path || !*out->path)
            out->path = "unnamed";
        out->link = archive_entry_hardlink(e);
        if (!out->link)
            out->link = archive_entry_hardlink_utf8(e);
        if (archive_entry_size_is_set(e) && archive_entry_size(e) > 0)
            out->link = NULL; /* some archives have the bytes again */
        out->regular = archive_entry_filetype(e) == AE_IFREG || out->link;
    }
    if (u->utf8)
        uselocale(before);
    return got;
}

/* The next block of data that libarchive has, and where it belongs. */
static int fetch(struct unpack *u, struct cooc_err *err)
{
    const void *data = NULL;
    la_int64_t where = 0;
    int got;

    do {
        got = archive_read_data_block(u->a, &data, &u->next_len, &where);
        if (got == ARCHIVE_EOF) {
            u->next_len = 0;
            return 0;
        }
        if (got != ARCHIVE_OK && got != ARCHIVE_RETRY)
            return archive_failed(u, err);
    } while (got == ARCHIVE_RETRY || u->next_len == 0);
    if (where < u->pos)
        return err_set(err, COOC_EFORMAT, "%s: parts overlap", u->name);
    u->next = data;
    u->next_pos = where;
    return 1;
}

static int entry_block(void *self, const char **data, size_t *len,
                       struct cooc_err *err)
{
    struct unpack *u = self;
    int rc;

    if (u->next_len == 0) {
        rc = fetch(u, err);
        if (rc <= 0)
            return rc;
    }
    if (u->next_pos > u->pos) { /* a hole in a sparse file */
        int64_t hole = u->next_pos - u->pos;

        *data = zeros;
        *len = hole < (int64_t)sizeof zeros ? (size_t)hole : sizeof zeros;
    } else {
        *data = u->next;
        *len = u->next_len;
        u->next_len = 0;
    }
    u->pos += (int64_t)*len;
    return 1;
}

int unpack_entry(struct unpack *u, struct unpacked *entry,
                 struct cooc_err *err)
{
    bool first = !u->begun;
    int got;

    *entry = (struct unpacked){ .regular = true };
    u->begun = true;
    if (u->empty)
        return 0;
    if (!u->a) {
        ahead_begin(&u->out, ahead_pull(u->top));
        return first;
    }
    got = read_entry_header(u, entry);
    if (got == ARCHIVE_EOF)
        return 0;
    if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
        return archive_failed(u, err);
    u->pos = 0;
    u->next_len = 0;
    ahead_begin(&u->out, (struct pull){ entry_block, u });
    return 1;
}

int unpack_block(struct unpack *u, const char **data, size_t *len,
                 struct cooc_err *err)
{
    return ahead_block(&u->out, data, len, err);
}

int unpack_peek(struct unpack *u, size_t want, const char **data, size_t *len,
                struct cooc_err *err)
{
    return ahead_peek(&u->out, want, data, len, err);
}
