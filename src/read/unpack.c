/* unpack.c - decompression and containers, by libarchive.
 *
 *     from -> gunzip -> libarchive: filter -> container or raw -> blocks
 *
 * Only filters that libarchive has compiled in are asked for, so that no
 * program is ever run.  A plain file passes through as the blocks it was
 * read in, without a copy.
 *
 * Nothing may be cut off quietly.  libarchive reports most damage; what it
 * does not see is looked at here: bytes behind the end of a compressed
 * file (see also gunzip.c), and warnings such as a wrong CRC in a zip,
 * which count as errors.
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
#include "read/gunzip.h"

struct unpack {
    const char *name;
    struct archive *a;
    struct archive_entry *entry; /* ours: libarchive may have none of its own */
    struct gunzip *below;
    int fd;
    locale_t utf8; /* 0: not needed, or the system has none */
    bool plain;    /* one entry, no container */
    bool begun;    /* an entry was handed out */
    bool ended;    /* the entry has no more blocks */

    /* What libarchive was given, and what went wrong while it asked. */
    const char *given;
    size_t given_len;
    uint64_t given_total;
    bool seeked;
    int rc;
    struct cooc_err err;

    /* The entry: position, a block behind a hole, what was peeked at. */
    int64_t pos;
    const char *next;
    size_t next_len;
    int64_t next_pos;
    struct buf head;
    const char *pending;
    size_t pending_len;
};

static const char zeros[4096];

static la_ssize_t give_block(struct archive *a, void *self, const void **data)
{
    struct unpack *u = self;
    int rc = gunzip_block(u->below, &u->given, &u->given_len, &u->err);

    if (rc < 0) {
        u->rc = rc;
        archive_set_error(a, EIO, "read failed");
        return ARCHIVE_FATAL;
    }
    if (rc == 0)
        u->given_len = 0;
    u->given_total += u->given_len;
    *data = u->given;
    return (la_ssize_t)u->given_len;
}

static la_int64_t move_file(struct archive *a, void *self, la_int64_t offset,
                            int whence)
{
    struct unpack *u = self;
    off_t to = lseek(u->fd, (off_t)offset, whence);

    u->seeked = true;
    gunzip_forget(u->below);
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
    const char *why = archive_error_string(u->a);

    if (u->rc < 0)
        return err_set(err, u->rc, "%s", u->err.text);
    if (archive_errno(u->a) == ENOMEM)
        return err_nomem(err);
    return err_set(err, COOC_EFORMAT, "%s: %s", u->name,
                   why ? why : "damaged archive or compressed file");
}

/* Each call adds its part to *worst, the least of what all returned: what
 * libarchive has no memory to support would be taken for plain text. */
static void least(int *worst, int got)
{
    if (got < *worst)
        *worst = got;
}

static void support_filters(struct archive *a, int *worst)
{
    if (archive_bzlib_version())
        least(worst, archive_read_support_filter_bzip2(a));
    if (archive_liblzma_version()) /* not .lzma: too much looks like it */
        least(worst, archive_read_support_filter_xz(a));
    if (archive_libzstd_version())
        least(worst, archive_read_support_filter_zstd(a));
    if (archive_liblz4_version())
        least(worst, archive_read_support_filter_lz4(a));
    least(worst, archive_read_support_filter_compress(a));
}

static bool at(const char *head, size_t len, size_t pos, const char *magic,
               size_t n)
{
    return len >= pos + n && memcmp(head + pos, magic, n) == 0;
}

bool unpack_is_compressed(const char *head, size_t len)
{
    return at(head, len, 0, "\x1f\x8b", 2) ||         /* gz */
           at(head, len, 0, "\x1f\x9d", 2) ||         /* Z */
           at(head, len, 0, "BZh", 3) ||              /* bz2 */
           at(head, len, 0, "\xfd\x37zXZ\0", 6) ||    /* xz */
           at(head, len, 0, "\x28\xb5\x2f\xfd", 4) || /* zst */
           at(head, len, 0, "\x04\x22\x4d\x18", 4);   /* lz4 */
}

/* Could there be entries with names?  A locale takes longer to load than a
 * small file to read, and most small files are plain. */
static bool may_be_archive(const struct unpack *u)
{
    const char *head;
    size_t len;

    gunzip_head(u->below, &head, &len);
    return gunzip_is_packed(u->below) || unpack_is_compressed(head, len) ||
           at(head, len, 0, "PK", 2) || at(head, len, 0, "7z\xbc\xaf", 4) ||
           at(head, len, 257, "ustar", 5) || at(head, len, 0, "0707", 4);
}

/* Containers.  Zip and 7zip need to seek, which costs every plain file two
 * more reads, so they are asked for only where the first bytes say so. */
static void support_formats(struct unpack *u, bool nested, int *worst)
{
    const char *head;
    size_t len;
    bool zip, seven;

    least(worst, archive_read_support_format_raw(u->a));
    least(worst, archive_read_support_format_empty(u->a));
    if (nested)
        return;
    least(worst, archive_read_support_format_tar(u->a));
    least(worst, archive_read_support_format_cpio(u->a));
    gunzip_head(u->below, &head, &len);
    zip = len >= 4 && at(head, len, 0, "PK", 2) && head[2] < 9;
    seven = at(head, len, 0, "7z\xbc\xaf\x27\x1c", 6);
    if (zip && u->fd >= 0)
        least(worst, archive_read_support_format_zip(u->a));
    else if (zip || gunzip_is_packed(u->below))
        least(worst, archive_read_support_format_zip_streamable(u->a));
    if (seven)
        least(worst, archive_read_support_format_7zip(u->a));
    if ((zip || seven) && u->fd >= 0)
        least(worst, archive_read_set_seek_callback(u->a, move_file));
}

static int open_archive(struct unpack *u, bool nested, struct cooc_err *err)
{
    int worst = ARCHIVE_OK;

    support_filters(u->a, &worst);
    support_formats(u, nested, &worst);
    least(&worst, archive_read_set_read_callback(u->a, give_block));
    least(&worst, archive_read_set_callback_data(u->a, u));
    if (worst < ARCHIVE_WARN)
        return err_nomem(err); /* there is no other reason */
    return archive_read_open1(u->a) == ARCHIVE_OK ? 0 : archive_failed(u, err);
}

int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               bool nested, struct cooc_err *err)
{
    struct unpack *u = mem_zarray(1, sizeof *u);
    int rc;

    *out = NULL;
    if (!u)
        return err_nomem(err);
    u->name = name;
    u->fd = fd;
    rc = gunzip_new(&u->below, name, from, err);
    if (rc < 0)
        goto out;
    if (!nested && may_be_archive(u))
        u->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    u->a = archive_read_new();
    u->entry = u->a ? archive_entry_new2(u->a) : NULL;
    rc = u->entry ? open_archive(u, nested, err) : err_nomem(err);
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
    archive_entry_free(u->entry);
    archive_read_free(u->a);
    if (u->utf8)
        freelocale(u->utf8);
    gunzip_free(u->below);
    buf_release(&u->head);
    mem_free(u);
}

static int read_entry_header(struct unpack *u, const char **name, bool *regular)
{
    locale_t before = u->utf8 ? uselocale(u->utf8) : (locale_t)0;
    struct archive_entry *e = u->entry;
    int got;

    do
        got = archive_read_next_header2(u->a, e);
    while (got == ARCHIVE_RETRY);
    if (got == ARCHIVE_OK || got == ARCHIVE_WARN) {
        *name = archive_entry_pathname(e);
        if (!*name || !**name)
            *name = archive_entry_pathname_utf8(e);
        if (!*name || !**name)
            *name = "unnamed";
        *regular =
            archive_entry_filetype(e) == AE_IFREG && !archive_entry_hardlink(e);
    }
    if (u->utf8)
        uselocale(before);
    return got;
}

static bool all_zero(const char *p, size_t n)
{
    while (n && *p == 0)
        p++, n--;
    return n == 0;
}

#define PADDING_MAX ((uint64_t)1 << 20) /* of an empty tar archive */

/* 1: only zeros are left of what lies below, up to max of them; 0: other
 * bytes, or more; < 0: failed. */
static int rest_is_zero(struct unpack *u, uint64_t max, struct cooc_err *err)
{
    uint64_t used = (uint64_t)archive_filter_bytes(u->a, -1);
    uint64_t left = u->given_total - used;
    const char *p;
    size_t n;
    bool clean = left <= u->given_len && left <= max &&
                 all_zero(u->given + u->given_len - left, left);

    for (max -= left; clean; max -= n) {
        int rc = gunzip_block(u->below, &p, &n, err);

        if (rc <= 0)
            return rc < 0 ? rc : 1;
        clean = n <= max && all_zero(p, n);
    }
    return 0;
}

/* A compressed file ended: only zeros may be left of what it lies in. */
static int check_rest(struct unpack *u, struct cooc_err *err)
{
    int rc;

    if (archive_filter_count(u->a) <= 1 || u->seeked)
        return 0;
    rc = rest_is_zero(u, UINT64_MAX, err);
    return rc ? rc < 0 ? rc : 0
              : err_set(err, COOC_EFORMAT,
                        "%s: other bytes follow the compressed data", u->name);
}

/* Zeros are a tar archive of nothing, whatever follows them: a text whose
 * first block was lost would be nothing too. */
static int check_empty(struct unpack *u, struct cooc_err *err)
{
    int rc;

    if (archive_filter_count(u->a) > 1 || u->seeked ||
        archive_format(u->a) == ARCHIVE_FORMAT_EMPTY)
        return 0;
    rc = rest_is_zero(u, PADDING_MAX, err);
    return rc ? rc < 0 ? rc : 0
              : err_set(err, COOC_EFORMAT,
                        "%s: begins with zero bytes, as if the beginning were "
                        "lost; take them out to read what follows", u->name);
}

int unpack_entry(struct unpack *u, const char **entry, bool *regular,
                 struct cooc_err *err)
{
    int got;

    if (u->plain)
        return 0;
    got = read_entry_header(u, entry, regular);
    u->pos = 0;
    u->next_len = u->pending_len = 0;
    u->ended = false;
    if (got == ARCHIVE_EOF) {
        int rc = u->begun ? 0 : check_empty(u, err);

        if (rc < 0)
            return rc;
        /* Nothing at all is one empty entry, not an archive of none. */
        u->plain = u->ended = true;
        *entry = NULL;
        *regular = true;
        return !u->begun && archive_format(u->a) == ARCHIVE_FORMAT_EMPTY;
    }
    if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
        return archive_failed(u, err);
    u->begun = true;
    if (archive_format(u->a) == ARCHIVE_FORMAT_RAW) {
        u->plain = true;
        *entry = NULL;
    }
    return 1;
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
            u->ended = true;
            u->next_len = 0;
            return u->plain ? check_rest(u, err) : 0;
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

int unpack_block(struct unpack *u, const char **data, size_t *len,
                 struct cooc_err *err)
{
    int rc;

    if (u->pending_len) {
        *data = u->pending;
        *len = u->pending_len;
        u->pending_len = 0;
        return 1;
    }
    if (u->ended)
        return 0;
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

int unpack_peek(struct unpack *u, size_t want, const char **data, size_t *len,
                struct cooc_err *err)
{
    const char *p;
    size_t n;
    int rc = 1;

    if (u->pending_len == 0 &&
        (rc = unpack_block(u, &u->pending, &u->pending_len, err)) < 0)
        return rc;
    if (u->pending_len < want && rc > 0 && u->pending != u->head.data) {
        u->head.len = 0;
        rc = buf_add(&u->head, u->pending, u->pending_len, err);
        if (rc < 0)
            return rc;
        rc = 1;
    }
    while (u->pending_len < want && rc > 0) {
        u->pending_len = 0; /* keep unpack_block() from handing it out */
        rc = unpack_block(u, &p, &n, err);
        if (rc > 0 && (rc = buf_add(&u->head, p, n, err)) == 0)
            rc = 1;
        if (rc < 0)
            return rc;
        u->pending = u->head.data;
        u->pending_len = u->head.len;
    }
    *data = u->pending;
    *len = u->pending_len;
    return 0;
}
