/* unpack.c - decompression, layer by layer, and containers by libarchive.
 *
 *     from -> [gunzip or decompress, while it is compressed]
 *          -> plain: the blocks as they are
 *          -> tar, zip: libarchive -> entries
 *
 * The first bytes of each layer decide (magic.c), and libarchive is asked
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

#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "read/decompress.h"

#define LAYERS_MAX 4 /* compressed, and that again, ... */

struct unpack {
    const char *name;
    struct lookahead layers[LAYERS_MAX + 1]; /* the first is the file */
    struct lookahead *top;
    struct archive_source source; /* its archive is NULL: no container */
    int fd;
    locale_t utf8; /* 0: not needed, or the system has none */
    bool begun;    /* an entry was handed out, or there is none */

    /* The entry: position, a block behind a hole, what was peeked at. */
    la_int64_t pos;
    const char *next;
    size_t next_len;
    la_int64_t next_pos;
    struct lookahead out;
};

static const char zeros[4096];

/* ---- layers ------------------------------------------------------------- */

/* Decompress until what comes out is not compressed: *magic says what it
 * is then, and u->fd is -1 unless it is the file itself. */
static int open_layers(struct unpack *u, struct pull from,
                       enum magic *magic, struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc = 0;

    u->top = u->layers;
    while (rc == 0) {
        struct pull below;

        lookahead_begin(u->top, from);
        rc = lookahead_peek(u->top, MAGIC_HEAD, &head, &len, err);
        if (rc < 0)
            return rc;
        *magic = magic_detect(head, len);
        if (!magic_is_compressed(*magic))
            return 0;
        if (u->top == u->layers + LAYERS_MAX)
            return err_path(err, COOC_ELIMIT, u->name,
                            "is compressed more than %d times over; "
                            "decompress it first", LAYERS_MAX);
        u->fd = -1;
        below = lookahead_pull(u->top++);
        rc = *magic == MAGIC_GZ
                 ? gunzip_new(&from, u->name, below, err)
                 : decompress_new(&from, u->name, *magic, below, err);
    }
    return rc;
}

/* ---- containers --------------------------------------------------------- */

static la_int64_t move_file(struct archive *a, void *self, la_int64_t offset,
                            int whence)
{
    struct archive_source *s = self;
    struct lookahead *below = s->from.self;
    off_t to = lseek(s->fd, (off_t)offset, whence);

    lookahead_begin(below, below->from); /* it was read from elsewhere */
    if (to < 0) {
        s->rc = err_sys(&s->err, "cannot seek", s->name);
        archive_set_error(a, errno, "seek failed");
        return ARCHIVE_FATAL;
    }
    return to;
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

    while ((rc = lookahead_block(u->top, &p, &n, err)) > 0 && n <= left) {
        left -= n;
        if (!all_zero(p, n))
            break;
    }
    u->begun = true; /* it holds nothing */
    return rc <= 0 ? rc
                   : err_path(err, COOC_EFORMAT, u->name,
                              "is damaged: it begins with NUL bytes, so its "
                              "beginning may be lost; remove them to read "
                              "the rest");
}

/* False if there is no memory. */
static bool choose_format(struct archive_source *s, enum magic magic)
{
    struct archive *a = s->a;

    if (magic == MAGIC_TAR)
        return archive_read_support_format_tar(a) == ARCHIVE_OK &&
               archive_read_set_format_option(
                   a, "tar", "read_concatenated_archives", "1") == ARCHIVE_OK;
    if (s->fd < 0)
        return archive_read_support_format_zip_streamable(a) == ARCHIVE_OK;
    return archive_read_support_format_zip(a) == ARCHIVE_OK &&
           archive_read_set_seek_callback(a, move_file) == ARCHIVE_OK;
}

static int open_container(struct unpack *u, enum magic magic,
                          struct cooc_err *err)
{
    struct archive_source *s = &u->source;
    const char *head;
    size_t len;
    int rc = lookahead_peek(u->top, MAGIC_HEAD, &head, &len, err);

    if (rc < 0)
        return rc;
    if (magic == MAGIC_TAR && head[0] == 0)
        return check_zeros(u, err);
    u->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    rc = archive_source_init(s, u->name, lookahead_pull(u->top), err);
    if (rc < 0)
        return rc;
    s->fd = u->fd;
    if (!choose_format(s, magic))
        return err_nomem(err);
    if (archive_read_open1(s->a) == ARCHIVE_OK)
        return 0;
    if (s->rc == 0 && archive_errno(s->a) != ENOMEM)
        return err_path(err, COOC_EFORMAT, u->name,
                        "is damaged: it begins like a %s archive, but its "
                        "first header is invalid", magic_name(magic));
    return archive_source_failed(s, err);
}

int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               bool nested, struct cooc_err *err)
{
    struct unpack *u = mem_zarray(1, sizeof *u);
    enum magic magic = MAGIC_NONE;
    int rc;

    *out = NULL;
    if (!u)
        return err_nomem(err);
    u->name = name;
    u->fd = fd;
    rc = open_layers(u, from, &magic, err);
    if (rc == 0 && magic != MAGIC_NONE && !nested)
        rc = open_container(u, magic, err);
    if (rc < 0)
        unpack_free(u);
    else
        *out = u;
    return rc;
}

void unpack_free(struct unpack *u)
{
    if (!u)
        return;
    lookahead_release(&u->out);
    archive_source_release(&u->source);
    if (u->utf8)
        freelocale(u->utf8);
    for (size_t i = LAYERS_MAX + 1; i-- > 0;)
        lookahead_release(&u->layers[i]);
    mem_free(u);
}

/* ---- entries ------------------------------------------------------------ */

static int read_entry_header(struct unpack *u, struct unpacked *out)
{
    locale_t before = u->utf8 ? uselocale(u->utf8) : (locale_t)0;
    struct archive_entry *e = u->source.entry;
    int got;

    /* To try again would skip it. */
    got = archive_read_next_header2(u->source.a, e);
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

static int entry_block(void *self, const char **data, size_t *len,
                       struct cooc_err *err)
{
    struct unpack *u = self;

    if (u->next_len == 0) {
        int rc = archive_source_block(&u->source, &u->next, &u->next_len,
                                      &u->next_pos, err);

        if (rc <= 0) {
            u->next_len = 0;
            return rc;
        }
        if (u->next_pos < u->pos)
            return err_path(err, COOC_EFORMAT, u->name,
                            "is damaged: parts of the archive overlap");
    }
    if (u->next_pos > u->pos) { /* a hole in a sparse file */
        la_int64_t hole = u->next_pos - u->pos;

        *data = zeros;
        *len = hole < (la_int64_t)sizeof zeros ? (size_t)hole : sizeof zeros;
    } else {
        *data = u->next;
        *len = u->next_len;
        u->next_len = 0;
    }
    u->pos += (la_int64_t)*len;
    return 1;
}

int unpack_entry(struct unpack *u, struct unpacked *entry,
                 struct cooc_err *err)
{
    bool first = !u->begun;
    int got;

    *entry = (struct unpacked){ .regular = true };
    u->begun = true;
    if (!u->source.a) {
        lookahead_begin(&u->out, lookahead_pull(u->top));
        return first;
    }
    got = read_entry_header(u, entry);
    if (got == ARCHIVE_EOF)
        return 0;
    if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
        return archive_source_failed(&u->source, err);
    u->pos = 0;
    u->next_len = 0;
    lookahead_begin(&u->out, (struct pull){ entry_block, u, NULL });
    return 1;
}

struct lookahead *unpack_bytes(struct unpack *u)
{
    return &u->out;
}
