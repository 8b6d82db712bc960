/* fuzz_packed.c - compressed files and archives.
 *
 *     u8 kind; if it is 0, the packed bytes; otherwise u8 number of bytes to
 *     damage, with (u16 offset, u8 value) of each, and the entries to pack: a
 *     name up to '\n', a text up to NUL
 *
 * Text must be read verbatim, whatever it begins with.
 */
#include "fuzz.h"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cooc_build.h"
#include "read/magic.h"
#include "read/read.h"
#include "read/stream.h"

#define ENOUGH ((size_t)1 << 20) /* bytes of documents */
#define PACKED_MAX ((size_t)1 << 16)

static const int filters[] = { ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP,
                               ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_ZSTD,
                               ARCHIVE_FILTER_LZ4 };
static const int containers[] = { ARCHIVE_FORMAT_RAW,
                                  ARCHIVE_FORMAT_TAR_USTAR,
                                  ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE,
                                  ARCHIVE_FORMAT_TAR_GNUTAR,
                                  ARCHIVE_FORMAT_ZIP };

static void pack_entry(struct archive *a, struct bytes *in)
{
    struct archive_entry *e = archive_entry_new();
    const uint8_t *nl = memchr(in->p, '\n', in->n), *nul;
    struct bytes name = take_bytes(in, nl ? (size_t)(nl - in->p) : in->n);
    char path[256];

    take_byte(in);
    nul = memchr(in->p, '\0', in->n);
    snprintf(path, sizeof path, "%.*s", (int)name.n, (const char *)name.p);
    name = take_bytes(in, nul ? (size_t)(nul - in->p) : in->n);
    if (!name.n) /* libarchive cannot write empty lz4 */
        name = (struct bytes){ (const uint8_t *)"\n", 1 };
    take_byte(in);
    archive_entry_set_pathname(e, *path ? path : "f");
    archive_entry_set_size(e, (la_int64_t)name.n);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    if (archive_write_header(a, e) == ARCHIVE_OK)
        archive_write_data(a, name.p, name.n);
    archive_entry_free(e);
}

/* Pack the entries as kind says; 0 bytes if that is impossible. */
static size_t pack(uint8_t kind, struct bytes in, uint8_t *out)
{
    int filter = filters[kind % ARRAY_LEN(filters)];
    int container = containers[kind / ARRAY_LEN(filters) %
                               ARRAY_LEN(containers)];
    struct archive *a = archive_write_new();
    size_t len = 0;

    if (in.n && archive_write_add_filter(a, filter) == ARCHIVE_OK &&
        archive_write_set_format(a, container) == ARCHIVE_OK &&
        archive_write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK &&
        archive_write_open_memory(a, out, PACKED_MAX, &len) == ARCHIVE_OK) {
        do
            pack_entry(a, &in);
        while (in.n && container != ARCHIVE_FORMAT_RAW);
        archive_write_close(a);
    }
    archive_write_free(a);
    return len;
}

static void read_all(const char *path)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    struct reader *r = NULL;
    struct document d;
    struct buf out = { 0 };
    int rc;

    rc = reader_open(&r, &path, 1, &o, NULL, &err);
    while (rc >= 0 && out.len < ENOUGH &&
           (rc = reader_next(r, &d, &err)) > 0) {
        MUST(buf_add(&out, d.name, d.name_len, NULL) == 0);
        MUST(buf_add(&out, d.text, d.text_len, NULL) == 0);
    }
    MUST(rc >= 0 || err.text[0]);
    reader_close(r);
    buf_release(&out);
}

/* UTF-8 without control characters other than white space. */
static bool is_text(struct bytes in)
{
    for (size_t i = 0; i < in.n; i++)
        if (in.p[i] < 0x20 && !strchr("\t\n\r\f", in.p[i]))
            return false;
    return utf8_is_valid(in.p, in.n) && !memchr(in.p, '\0', in.n) &&
           (in.n < 3 || memcmp(in.p, "\xef\xbb\xbf", 3) != 0);
}

/* Check that the file is read as a document with these bytes. */
static void check_plain(const char *path, struct bytes want)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    struct reader *r = NULL;
    struct document d;

    o.format = "files";
    MUST(reader_open(&r, &path, 1, &o, NULL, &err) == 0);
    MUST(reader_next(r, &d, &err) == 1);
    if (is_text(want)) {
        MUST(d.text_len == want.n);
        MUST(!want.n || memcmp(d.text, want.p, want.n) == 0);
    }
    MUST(reader_next(r, &d, &err) == 0);
    reader_close(r);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static uint8_t packed[PACKED_MAX];
    struct bytes in = { data, size }, harm = { 0 };
    uint8_t kind = take_byte(&in);
    char *path = fuzz_path("f");
    size_t len = 0;

    stream_block_size = PACKED_MAX; /* a large block is slow to allocate */
    if (!kind) {
        fuzz_put(path, in.p, in.n);
        if (is_text(in) ||
            magic_detect((const char *)in.p, in.n) == MAGIC_NONE)
            check_plain(path, in);
    } else {
        harm = take_bytes(&in, (size_t)3 * (take_byte(&in) % 16));
        len = pack(kind, in, packed);
        while (harm.n && len) {
            size_t at = take_u64(&harm, 2) % len;

            packed[at] = take_byte(&harm);
        }
        fuzz_put(path, packed, len);
    }
    read_all(path);
    free(path);
}
