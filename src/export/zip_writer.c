/* zip_writer.c - the records of a zip file with uncompressed members.
 *
 *     header, data, descriptor | header, data, descriptor | ... | directory
 *
 * Members have the date 1980-01-01, as in files of numpy, so that the same
 * matrix always gives the same file.
 */
#include "export/zip_writer.h"

#include <string.h>
#include <zlib.h>

#include "base/bytes.h"

#define RECORD_MAX 128u
#define VERSION 10u   /* version needed to extract uncompressed data */
#define VERSION64 45u /* zip64 */
#define UNIX 3u
#define CRC_FOLLOWS 8u
#define DATE 0x21u            /* 1980-01-01 */
#define MODE (0100644u << 16) /* a regular file */
#define ZIP64 1u              /* id of the extra field */
#define FULL UINT32_MAX       /* the value is in the extra field */

struct record {
    char bytes[RECORD_MAX];
    size_t len;
};

static void put(struct record *r, uint64_t v, size_t width)
{
    for (size_t i = 0; i < width; i++)
        r->bytes[r->len++] = (char)(v >> 8 * i & 0xff);
}

static void put_text(struct record *r, const char *text)
{
    size_t n = strlen(text);

    memcpy(r->bytes + r->len, text, n);
    r->len += n;
}

static int write_bytes(struct zip_writer *w, const void *data, size_t len,
                       struct cooc_err *err)
{
    w->pos += len;
    return w->out ? sink_add(w->out, data, len, err) : 0;
}

static bool is_large(const struct zip_member *m)
{
    return m->size >= FULL;
}

/* The fields that a header and the directory have in common. */
static void put_member(struct record *r, const struct zip_member *m,
                       uint32_t crc, size_t extra)
{
    put(r, is_large(m) || m->at >= FULL ? VERSION64 : VERSION, 2);
    put(r, CRC_FOLLOWS, 2);
    put(r, 0, 2); /* stored */
    put(r, 0, 2); /* time */
    put(r, DATE, 2);
    put(r, crc, 4);
    put(r, is_large(m) ? FULL : m->size, 4);
    put(r, is_large(m) ? FULL : m->size, 4);
    put(r, strlen(m->name), 2);
    put(r, extra, 2);
}

uint32_t zip_sum(const void *data, size_t len)
{
    return (uint32_t)crc32_z(0, data, len);
}

uint32_t zip_sum_join(uint32_t crc, uint32_t next, uint64_t len)
{
    return (uint32_t)crc32_combine64(crc, next, (z_off64_t)len);
}

void zip_writer_skip(struct zip_writer *w, uint64_t len, uint32_t crc)
{
    struct zip_member *m = &w->members[w->n - 1];

    m->crc = zip_sum_join(m->crc, crc, len);
    w->pos += len;
}

int zip_writer_add_summed(struct zip_writer *w, const void *data, size_t len,
                          uint32_t crc, struct cooc_err *err)
{
    struct zip_member *m = &w->members[w->n - 1];

    m->crc = zip_sum_join(m->crc, crc, len);
    return write_bytes(w, data, len, err);
}

int zip_writer_add(struct zip_writer *w, const void *data, size_t len,
                   struct cooc_err *err)
{
    return zip_writer_add_summed(w, data, len, zip_sum(data, len), err);
}

/* Write the descriptor after the data of the last member. */
static int end_member(struct zip_writer *w, struct cooc_err *err)
{
    const struct zip_member *m = &w->members[w->n - 1];
    struct record r = { .len = 0 };
    size_t width = is_large(m) ? 8 : 4;

    put_text(&r, "PK\7\10");
    put(&r, m->crc, 4);
    put(&r, m->size, width);
    put(&r, m->size, width);
    return write_bytes(w, r.bytes, r.len, err);
}

int zip_writer_begin(struct zip_writer *w, const char *name, uint64_t size,
                     struct cooc_err *err)
{
    int rc = w->n ? end_member(w, err) : 0;
    struct zip_member *m = &w->members[w->n++];
    struct record r = { .len = 0 };

    if (rc < 0)
        return rc;
    *m = (struct zip_member){ .name = name, .size = size, .at = w->pos };
    put_text(&r, "PK\3\4");
    put_member(&r, m, 0, is_large(m) ? 20 : 0);
    put_text(&r, name);
    if (is_large(m)) {
        put(&r, ZIP64, 2);
        put(&r, 16, 2);
        put(&r, size, 8);
        put(&r, size, 8);
    }
    return write_bytes(w, r.bytes, r.len, err);
}

static int write_central(struct zip_writer *w, const struct zip_member *m,
                         struct cooc_err *err)
{
    bool far = m->at >= FULL;
    size_t extra = (is_large(m) ? 16u : 0u) + (far ? 8u : 0u);
    struct record r = { .len = 0 };

    put_text(&r, "PK\1\2");
    put(&r, UNIX << 8 | VERSION64, 2);
    put_member(&r, m, m->crc, extra ? extra + 4 : 0);
    put(&r, 0, 2); /* no comment */
    put(&r, 0, 2); /* disk */
    put(&r, 0, 2); /* binary */
    put(&r, MODE, 4);
    put(&r, far ? FULL : m->at, 4);
    put_text(&r, m->name);
    if (extra) {
        put(&r, ZIP64, 2);
        put(&r, extra, 2);
    }
    if (is_large(m)) {
        put(&r, m->size, 8);
        put(&r, m->size, 8);
    }
    if (far)
        put(&r, m->at, 8);
    return write_bytes(w, r.bytes, r.len, err);
}

int zip_writer_end(struct zip_writer *w, struct cooc_err *err)
{
    struct record r = { .len = 0 };
    uint64_t at, len, end;
    int rc = w->n ? end_member(w, err) : 0;

    at = w->pos;
    for (unsigned i = 0; i < w->n && rc == 0; i++)
        rc = write_central(w, &w->members[i], err);
    if (rc < 0)
        return rc;
    end = w->pos;
    len = end - at;
    if (at >= FULL) {
        put_text(&r, "PK\6\6");
        put(&r, 44, 8); /* size of the rest of the record */
        put(&r, UNIX << 8 | VERSION64, 2);
        put(&r, VERSION64, 2);
        put(&r, 0, 8); /* disks */
        put(&r, w->n, 8);
        put(&r, w->n, 8);
        put(&r, len, 8);
        put(&r, at, 8);
        put_text(&r, "PK\6\7");
        put(&r, 0, 4);
        put(&r, end, 8);
        put(&r, 1, 4); /* number of disks */
    }
    put_text(&r, "PK\5\6");
    put(&r, 0, 4); /* disks */
    put(&r, w->n, 2);
    put(&r, w->n, 2);
    put(&r, len, 4);
    put(&r, at >= FULL ? FULL : at, 4);
    put(&r, 0, 2); /* no comment */
    return write_bytes(w, r.bytes, r.len, err);
}
