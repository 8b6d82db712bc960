/* decompress.c - libarchive, fed with blocks from another layer; one filter of
 * it, and nothing else of it.
 *
 * Only filters that libarchive has compiled in are asked for, so that no
 * program is ever run.  libarchive reports most damage; bytes after the end of
 * the compressed data, which it ignores, are reported here.
 */
#include "read/decompress.h"

#include <errno.h>
#include <stdbool.h>

#include "base/mem.h"

static la_ssize_t give_block(struct archive *a, void *self, const void **data)
{
    struct archive_source *s = self;
    int rc = s->from.block(s->from.self, &s->given, &s->given_len, &s->err);

    if (rc < 0) {
        s->rc = rc;
        archive_set_error(a, EIO, "read failed");
        return ARCHIVE_FATAL;
    }
    if (rc == 0)
        s->given_len = 0;
    s->given_total += s->given_len;
    *data = s->given;
    return (la_ssize_t)s->given_len;
}

int archive_source_init(struct archive_source *s, const char *name,
                        struct pull from, struct cooc_err *err)
{
    *s = (struct archive_source){ .name = name, .from = from,
                                   .fd = -1 };
    s->a = archive_read_new();
    s->entry = s->a ? archive_entry_new2(s->a) : NULL;
    if (!s->entry ||
        archive_read_set_read_callback(s->a, give_block) != ARCHIVE_OK ||
        archive_read_set_callback_data(s->a, s) != ARCHIVE_OK)
        return err_nomem(err); /* these calls fail only without memory */
    return 0;
}

void archive_source_release(struct archive_source *s)
{
    archive_entry_free(s->entry);
    archive_read_free(s->a);
}

int archive_source_failed(struct archive_source *s, struct cooc_err *err)
{
    const char *why = archive_error_string(s->a);

    if (s->rc < 0)
        return err_copy(err, &s->err);
    if (archive_errno(s->a) == ENOMEM)
        return err_nomem(err);
    return err_path(err, COOC_EFORMAT, s->name, "is damaged: %s",
                    why ? why : "invalid compressed data or archive");
}

int archive_source_block(struct archive_source *s, const char **data,
                         size_t *len, la_int64_t *where, struct cooc_err *err)
{
    const void *block = NULL;
    int got;

    do {
        got = archive_read_data_block(s->a, &block, len, where);
        if (got == ARCHIVE_EOF)
            return 0;
        if (got != ARCHIVE_OK && got != ARCHIVE_RETRY)
            return archive_source_failed(s, err);
    } while (got == ARCHIVE_RETRY || *len == 0);
    *data = block;
    return 1;
}

/* ---- one filter --------------------------------------------------------- */

struct decompress {
    struct archive_source source;
    bool ended;
};

/* The filter, if libarchive has it compiled in. */
static int filter_of(enum magic magic)
{
    switch (magic) {
    case MAGIC_BZ2:
        return archive_bzlib_version() ? ARCHIVE_FILTER_BZIP2 : -1;
    case MAGIC_XZ:
        return archive_liblzma_version() ? ARCHIVE_FILTER_XZ : -1;
    case MAGIC_ZST:
        return archive_libzstd_version() ? ARCHIVE_FILTER_ZSTD : -1;
    default:
        return archive_liblz4_version() ? ARCHIVE_FILTER_LZ4 : -1;
    }
}

/* The compressed data ended: only zeros may be left of what it lies in. */
static int check_rest(struct decompress *d, struct cooc_err *err)
{
    struct archive_source *s = &d->source;
    uint64_t used = (uint64_t)archive_filter_bytes(s->a, -1);
    uint64_t left = s->given_total - used;
    size_t n = left <= s->given_len ? (size_t)left : s->given_len;
    const char *p = s->given + s->given_len - n;
    int rc = 1;

    while (all_zero(p, n)) {
        rc = s->from.block(s->from.self, &p, &n, err);
        if (rc <= 0)
            return rc;
    }
    return err_path(err, COOC_EFORMAT, s->name,
                    "is damaged: other bytes follow the compressed data");
}

static int open_filter(struct decompress *d, enum magic magic,
                       struct cooc_err *err)
{
    struct archive_source *s = &d->source;
    int filter = filter_of(magic), got;

    if (filter < 0)
        return err_path(err, COOC_EFORMAT, s->name,
                        "%s is not supported by the installed libarchive; "
                        "decompress the file first", magic_name(magic));
    /* Appended, or libarchive would look for more filters in what comes out */
    if (archive_read_append_filter(s->a, filter) != ARCHIVE_OK ||
        archive_read_support_format_raw(s->a) != ARCHIVE_OK ||
        archive_read_support_format_empty(s->a) != ARCHIVE_OK)
        return err_nomem(err); /* these calls fail only without memory */
    /* Opening reads the first byte, and may report damage by errno alone. */
    if (archive_read_open1(s->a) != ARCHIVE_OK || archive_errno(s->a))
        return archive_source_failed(s, err);
    got = archive_read_next_header2(s->a, s->entry);
    d->ended = got == ARCHIVE_EOF; /* compressed nothing */
    if (d->ended)
        return check_rest(d, err);
    return got == ARCHIVE_OK ? 0 : archive_source_failed(s, err);
}

static void decompress_free(void *self)
{
    struct decompress *d = self;

    archive_source_release(&d->source);
    mem_free(d);
}

static int decompress_block(void *self, const char **data, size_t *len,
                            struct cooc_err *err)
{
    struct decompress *d = self;
    la_int64_t where;
    int rc;

    if (d->ended)
        return 0;
    rc = archive_source_block(&d->source, data, len, &where, err);
    if (rc != 0)
        return rc;
    d->ended = true;
    return check_rest(d, err);
}

int decompress_new(struct pull *out, const char *name, enum magic magic,
                   struct pull from, struct cooc_err *err)
{
    struct decompress *d = mem_zarray(1, sizeof *d);
    int rc;

    if (!d)
        return err_nomem(err);
    rc = archive_source_init(&d->source, name, from, err);
    if (rc == 0)
        rc = open_filter(d, magic, err);
    if (rc < 0)
        decompress_free(d);
    else
        *out = (struct pull){ decompress_block, d, decompress_free };
    return rc;
}
