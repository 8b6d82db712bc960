/* decompress.c - one filter of libarchive, and nothing else of it.
 *
 * Only filters that libarchive has compiled in are asked for, so that no
 * program is ever run.  libarchive reports most damage; bytes after the end of
 * the compressed data, which it ignores, are reported here.
 */
#include "read/decompress.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

struct decompress {
    const char *name;
    struct archive *a;
    struct archive_entry *entry; /* ours: libarchive may have none of its own */
    struct pull from;
    bool ended;

    /* What libarchive was given, and what went wrong while it asked. */
    const char *given;
    size_t given_len;
    uint64_t given_total;
    int rc;
    struct cooc_err err;
};

int archive_says(struct archive *a, const char *name, struct cooc_err *err)
{
    const char *why = archive_error_string(a);

    if (archive_errno(a) == ENOMEM)
        return err_nomem(err);
    return err_set(err, COOC_EFORMAT, "%s: %s", name,
                   why ? why : "the compressed data or archive is damaged");
}

static int failed(struct decompress *d, struct cooc_err *err)
{
    if (d->rc < 0)
        return err_set(err, d->rc, "%s", d->err.text);
    return archive_says(d->a, d->name, err);
}

static la_ssize_t give_block(struct archive *a, void *self, const void **data)
{
    struct decompress *d = self;
    int rc = d->from.block(d->from.self, &d->given, &d->given_len, &d->err);

    if (rc < 0) {
        d->rc = rc;
        archive_set_error(a, EIO, "read failed");
        return ARCHIVE_FATAL;
    }
    if (rc == 0)
        d->given_len = 0;
    d->given_total += d->given_len;
    *data = d->given;
    return (la_ssize_t)d->given_len;
}

/* The filter, if libarchive has it compiled in. */
static int filter_of(enum packing packing)
{
    switch (packing) {
    case PACKING_BZ2:
        return archive_bzlib_version() ? ARCHIVE_FILTER_BZIP2 : -1;
    case PACKING_XZ:
        return archive_liblzma_version() ? ARCHIVE_FILTER_XZ : -1;
    case PACKING_ZST:
        return archive_libzstd_version() ? ARCHIVE_FILTER_ZSTD : -1;
    default:
        return archive_liblz4_version() ? ARCHIVE_FILTER_LZ4 : -1;
    }
}

static bool all_zero(const char *p, size_t n)
{
    while (n && *p == 0)
        p++, n--;
    return n == 0;
}

/* The compressed data ended: only zeros may be left of what it lies in. */
static int check_rest(struct decompress *d, struct cooc_err *err)
{
    uint64_t used = (uint64_t)archive_filter_bytes(d->a, -1);
    uint64_t left = d->given_total - used;
    size_t n = left <= d->given_len ? (size_t)left : d->given_len;
    const char *p = d->given + d->given_len - n;
    int rc = 1;

    while (all_zero(p, n)) {
        rc = d->from.block(d->from.self, &p, &n, err);
        if (rc <= 0)
            return rc;
    }
    return err_set(err, COOC_EFORMAT,
                   "%s: other bytes follow the compressed data", d->name);
}

static int open_filter(struct decompress *d, enum packing packing,
                       struct cooc_err *err)
{
    int filter = filter_of(packing), got;

    if (filter < 0)
        return err_set(err, COOC_EFORMAT,
                       "%s: this libarchive is built without %s; decompress "
                       "the file first", d->name, packing_name(packing));
    /* Appended, or libarchive would look for more filters in what comes out */
    if (archive_read_append_filter(d->a, filter) != ARCHIVE_OK ||
        archive_read_support_format_raw(d->a) != ARCHIVE_OK ||
        archive_read_support_format_empty(d->a) != ARCHIVE_OK ||
        archive_read_set_read_callback(d->a, give_block) != ARCHIVE_OK ||
        archive_read_set_callback_data(d->a, d) != ARCHIVE_OK)
        return err_nomem(err); /* these calls fail only without memory */
    /* Opening reads the first byte, and may report damage by errno alone. */
    if (archive_read_open1(d->a) != ARCHIVE_OK || archive_errno(d->a))
        return failed(d, err);
    got = archive_read_next_header2(d->a, d->entry);
    d->ended = got == ARCHIVE_EOF; /* compressed nothing */
    if (d->ended)
        return check_rest(d, err);
    return got == ARCHIVE_OK ? 0 : failed(d, err);
}

int decompress_new(struct decompress **out, const char *name,
                   enum packing packing, struct pull from,
                   struct cooc_err *err)
{
    struct decompress *d = mem_zarray(1, sizeof *d);
    int rc;

    *out = NULL;
    if (!d)
        return err_nomem(err);
    d->name = name;
    d->from = from;
    d->a = archive_read_new();
    d->entry = d->a ? archive_entry_new2(d->a) : NULL;
    rc = d->entry ? open_filter(d, packing, err) : err_nomem(err);
    if (rc < 0)
        decompress_free(d);
    else
        *out = d;
    return rc;
}

void decompress_free(struct decompress *d)
{
    if (!d)
        return;
    archive_entry_free(d->entry);
    archive_read_free(d->a);
    mem_free(d);
}

int decompress_block(struct decompress *d, const char **data, size_t *len,
                     struct cooc_err *err)
{
    const void *block;
    la_int64_t where;
    int got;

    while (!d->ended) {
        got = archive_read_data_block(d->a, &block, len, &where);
        if (got == ARCHIVE_EOF) {
            d->ended = true;
            return check_rest(d, err);
        }
        if (got != ARCHIVE_OK && got != ARCHIVE_RETRY)
            return failed(d, err);
        if (got == ARCHIVE_OK && *len) {
            *data = block;
            return 1;
        }
    }
    return 0;
}
