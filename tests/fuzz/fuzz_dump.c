/* fuzz_dump.c - matrices of other programs: Matrix Market, GloVe, scipy.
 *
 *     u8 kind; if it is 0, the file; otherwise the arrays of a zip file: u16
 *     length and bytes of each
 */
#include "fuzz.h"

#include <archive.h>
#include <archive_entry.h>

#include "cooc_export.h"
#include "read/stream.h"

#define ENOUGH 100000u /* cells */

static int about(void *self, const struct cooc_dump_report *r,
                 struct cooc_err *err)
{
    (void)err;
    *(struct cooc_dump_report *)self = *r;
    return 0;
}

static int see_cell(void *self, const struct cooc_cell *c,
                    struct cooc_err *err)
{
    struct cooc_dump_report *r = self;

    (void)err;
    MUST(c->row >= r->first && c->column >= r->first);
    MUST(!r->rows || c->row - r->first < r->rows);
    MUST(!r->columns || c->column - r->first < r->columns);
    return ++r->cells > ENOUGH; /* a small file may have many zeros */
}

static size_t make_zip(struct bytes in, uint8_t *out, size_t room)
{
    static const char *const names[] = { "indices.npy", "indptr.npy",
                                         "format.npy", "shape.npy",
                                         "data.npy", "row.npy", "col.npy" };
    struct archive *a = archive_write_new();
    size_t len = 0;

    archive_write_set_format_zip(a);
    archive_write_zip_set_compression_store(a);
    archive_write_set_bytes_in_last_block(a, 1);
    MUST(archive_write_open_memory(a, out, room, &len) == ARCHIVE_OK);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct bytes b = take_bytes(&in, (size_t)take_u64(&in, 2));
        struct archive_entry *e = archive_entry_new();

        if (b.n) {
            archive_entry_set_pathname(e, names[i]);
            archive_entry_set_size(e, (la_int64_t)b.n);
            archive_entry_set_filetype(e, AE_IFREG);
            archive_entry_set_perm(e, 0644);
            archive_write_header(a, e);
            archive_write_data(a, b.p, b.n);
        }
        archive_entry_free(e);
    }
    archive_write_close(a);
    archive_write_free(a);
    return len;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static uint8_t zip[1 << 17];
    struct bytes in = { data, size };
    struct cooc_dump_report told = { 0 }, report = COOC_DUMP_REPORT;
    struct cooc_err err = { 0 };
    char *path = fuzz_path("f");
    int rc;

    stream_block_size = sizeof zip; /* a large block is slow to allocate */
    if (take_byte(&in)) {
        take_bytes(&in, in.n > 60000 ? in.n - 60000 : 0);
        fuzz_put(path, zip, make_zip(in, zip, sizeof zip));
    } else {
        fuzz_put(path, in.p, in.n);
    }
    rc = cooc_dump(path, about, see_cell, &told, &report, &err);
    MUST(rc >= 0 || err.text[0]);
    free(path);
}
