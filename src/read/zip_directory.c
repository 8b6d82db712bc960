/* zip_directory.c - read the directory at the end of a zip file.
 *
 *     entries | directory | [zip64 end, its locator] | end, comment
 *
 * The end record is found by its signature, searching backwards from the last
 * byte.  Entries are sorted by offset, so that the file is read from front to
 * back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/zip_header.h"

#define END_LEN 22u
#define LOCATOR_LEN 20u
#define END64_LEN 56u
#define COMMENT_MAX 65535u
#define CENTRAL_MAX (ZIP_CENTRAL_LEN + 3 * 65535u)

struct place {
    uint64_t at, len, entries;
};

static int read_at(const char *name, int fd, char *to, size_t n, uint64_t at,
                   struct cooc_err *err)
{
    while (n) {
        ssize_t got = pread(fd, to, n, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_sys(err, "cannot read", name);
        if (got == 0)
            return err_path(err, COOC_EFORMAT, name,
                            "the zip archive is truncated");
        to += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

/* Read the locator and the zip64 end record, if they precede the end record at
 * `at`. */
static int find_end64(struct place *p, const char *name, int fd, uint64_t at,
                      struct cooc_err *err)
{
    char b[END64_LEN];
    uint64_t end;
    int rc;

    if (at < LOCATOR_LEN + END64_LEN)
        return 0;
    rc = read_at(name, fd, b, LOCATOR_LEN, at - LOCATOR_LEN, err);
    if (rc < 0 || memcmp(b, "PK\6\7", 4) != 0)
        return rc;
    end = get_le64(b + 8);
    if (end > at - LOCATOR_LEN - END64_LEN)
        return 0;
    rc = read_at(name, fd, b, END64_LEN, end, err);
    if (rc < 0 || memcmp(b, "PK\6\6", 4) != 0)
        return rc;
    *p = (struct place){ get_le64(b + 48), get_le64(b + 40), get_le64(b + 32) };
    return 0;
}

/* 1: found; 0: there is no valid end record; < 0: failed. */
static int find_end(struct place *p, const char *name, int fd, uint64_t size,
                    struct cooc_err *err)
{
    size_t n = size < END_LEN + COMMENT_MAX ? (size_t)size
                                            : END_LEN + COMMENT_MAX;
    char *tail = mem_array(n, 1);
    int rc = tail ? read_at(name, fd, tail, n, size - n, err) : err_nomem(err);
    size_t i = n >= END_LEN ? n - END_LEN + 1 : 0;

    while (rc == 0 && i-- > 0) {
        const char *e = tail + i;
        uint64_t at = size - n + i;

        if (memcmp(e, "PK\5\6", 4) != 0)
            continue;
        *p = (struct place){ get_le32(e + 16), get_le32(e + 12),
                             get_le32(e + 10) & 0xffff };
        rc = find_end64(p, name, fd, at, err);
        if (rc == 0 && p->at <= at && p->len <= at - p->at) {
            rc = 1;
            break;
        }
    }
    mem_free(tail);
    return rc;
}

static int by_place(const void *a, const void *b)
{
    const struct zip_record *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* A digital signature of the directory may follow its entries. */
static bool is_signature(const char *p, size_t n)
{
    return n >= 4 && memcmp(p, "PK\5\5", 4) == 0;
}

/* Parse the directory.  Old programs write the number of entries modulo
 * 65,536. */
static int parse(struct zip_directory *d, const char *name,
                 const struct place *p, struct cooc_err *err)
{
    const char *at = d->bytes.data;
    size_t left = d->bytes.len;
    struct zip_record r;
    size_t used;
    int rc = 0;

    while (rc == 0 && zip_central(&r, at, left, &used)) {
        rc = array_grow(&d->items, &d->cap, d->n + 1, sizeof *d->items, err);
        if (rc == 0)
            d->items[d->n++] = r;
        at += used;
        left -= used;
    }
    if (rc < 0)
        return rc;
    if ((left && !is_signature(at, left)) ||
        (d->n & 0xffff) != (p->entries & 0xffff))
        return err_path(err, COOC_EFORMAT, name,
                        "the directory of the zip archive is damaged");
    if (d->n)
        qsort(d->items, d->n, sizeof *d->items, by_place);
    return 0;
}

int zip_directory_read(struct zip_directory *d, const char *name, int fd,
                       struct cooc_err *err)
{
    struct place p = { 0 };
    struct stat st;
    int rc;

    if (fstat(fd, &st) < 0)
        return err_sys(err, "cannot read", name);
    rc = find_end(&p, name, fd, (uint64_t)st.st_size, err);
    if (rc <= 0)
        return rc;
    rc = buf_reserve(&d->bytes, (size_t)p.len, err);
    if (rc == 0)
        rc = read_at(name, fd, d->bytes.data, (size_t)p.len, p.at, err);
    if (rc < 0)
        return rc;
    d->bytes.len = (size_t)p.len;
    rc = parse(d, name, &p, err);
    return rc < 0 ? rc : 1;
}

int zip_directory_skip(struct lookahead *from, const char *name,
                       struct cooc_err *err)
{
    struct zip_record r;
    const char *p, *end = NULL;
    size_t len, used;
    int rc;

    while ((rc = lookahead_peek(from, CENTRAL_MAX, &p, &len, err)) == 0 &&
           zip_central(&r, p, len, &used))
        lookahead_use(from, used);
    while (rc == 0 && !end) { /* the records after the entries */
        rc = lookahead_peek(from, END_LEN, &p, &len, err);
        if (rc == 0 && len < END_LEN)
            return err_path(err, COOC_EFORMAT, name,
                            "the zip archive is truncated: its directory is "
                            "not complete");
        if (rc == 0)
            end = memmem(p, len, "PK\5\6", 4);
        if (end && (size_t)(end - p) + END_LEN > len) {
            lookahead_use(from, (size_t)(end - p));
            end = NULL;
        } else if (rc == 0) {
            lookahead_use(from, end ? (size_t)(end - p) : len - END_LEN + 1);
        }
    }
    return rc;
}

void zip_directory_release(struct zip_directory *d)
{
    buf_release(&d->bytes);
    mem_free(d->items);
}
