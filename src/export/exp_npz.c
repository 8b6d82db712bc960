/* exp_npz.c - for scipy.sparse: a CSR matrix in a zip file of arrays.
 *
 *     indices.npy   columns, row by row          data.npy    values
 *     indptr.npy    offset of each row           shape.npy, format.npy
 *
 * Sizes are known in advance from the survey, so columns and values are written
 * at the same time, each at their place in the file.  A pipe or a device is
 * written sequentially, and the values are kept in a temporary file meanwhile.
 * scipy requires the same type for indptr and indices: 32 bits if all values
 * fit, otherwise 64.  Counts have 32 bits; measures are doubles.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/spool.h"
#include "export/export.h"
#include "export/zip_writer.h"

#define CHUNK ((size_t)1 << 16)
#define HEADER_MAX 192u

enum { COLUMNS, VALUES }; /* streams of an output */

struct npz {
    struct zip_writer zip;
    const char *index_type, *value_type; /* as numpy names them */
    bool parts;              /* values go to the second part of the file */
    struct sink part;
    struct spool_file file;  /* otherwise here */
    struct spool values;
    uint64_t values_len;
    uint32_t values_crc;
    uint8_t chunk[CHUNK], window[CHUNK];
};

/* ---- arrays ---------------------------------------------------------- */

static size_t size_of(const char *type)
{
    return (size_t)(type[2] - '0');
}

/* Begin the member name.npy: an array of n items, or a scalar. */
static int npy_begin(struct zip_writer *zip, const char *name,
                     const char *type, const uint64_t *n, struct cooc_err *err)
{
    char text[HEADER_MAX], shape[32] = "", about[HEADER_MAX - 64];
    int len, rc;

    if (n)
        snprintf(shape, sizeof shape, "%" PRIu64 ",", *n);
    len = snprintf(about, sizeof about,
                   "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                   type, shape);
    len = (10 + len) / 64 * 64 + 64; /* align the data to 64 bytes */
    snprintf(text + 10, sizeof text - 10, "%-*s\n", len - 11, about);
    memcpy(text, "\x93NUMPY\x01\x00", 8);
    text[8] = (char)((len - 10) & 0xff);
    text[9] = (char)((len - 10) >> 8);
    rc = zip_writer_begin(zip, name,
                          (uint64_t)len + (n ? *n : 1) * size_of(type), err);
    return rc < 0 ? rc : zip_writer_add(zip, text, (size_t)len, err);
}

static inline void put_number(void *to, size_t size, uint64_t v)
{
    if (size == 8)
        put_le64(to, v);
    else
        put_le32(to, (uint32_t)v);
}

/* Write format, shape and indptr, which are known before the first row. */
static int write_outline(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    const struct selection *s = &j->sel;
    uint64_t two = 2, n = (uint64_t)s->n + 1, sum = 0;
    uint8_t shape[16];
    size_t len = 0;
    int rc = npy_begin(&z->zip, "format.npy", "|S3", NULL, err);

    if (rc == 0)
        rc = zip_writer_add(&z->zip, "csr", 3, err);
    if (rc == 0)
        rc = npy_begin(&z->zip, "shape.npy", "<i8", &two, err);
    put_le64(shape, s->n);
    put_le64(shape + 8, s->n);
    if (rc == 0)
        rc = zip_writer_add(&z->zip, shape, sizeof shape, err);
    if (rc == 0)
        rc = npy_begin(&z->zip, "indptr.npy", z->index_type, &n, err);
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        put_number(z->chunk + len, size_of(z->index_type), sum);
        len += size_of(z->index_type);
        if (i < s->n)
            sum += s->before[i] + (j->symmetric ? s->after[i] : 0) +
                   (j->o->diagonal ? 1 : 0);
        if (len == CHUNK || i + 1 == n) {
            rc = zip_writer_add(&z->zip, z->chunk, len, err);
            len = 0;
        }
    }
    return rc;
}

/* Begin the second part of the file, where the values will be. */
static int open_values(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    struct zip_writer ahead = z->zip;
    int rc;

    z->parts = sink_has_parts(&j->main);
    if (!z->parts)
        return spool_file_open(&z->file, j->tmpdir, err);
    ahead.out = NULL;
    zip_writer_skip(&ahead, j->entries * size_of(z->index_type), 0);
    rc = npy_begin(&ahead, "data.npy", z->value_type, &j->entries, err);
    return rc < 0 ? rc : sink_open_part(&z->part, &j->main, ahead.pos, err);
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    bool wide = j->entries > INT32_MAX || j->sel.n >= INT32_MAX;
    bool large = j->sel.db->store.manifest.documents > INT32_MAX;
    int rc;

    z->index_type = wide ? "<i8" : "<i4";
    z->value_type = !j->sel.plain_count ? "<f8" : large ? "<u4" : "<i4";
    z->zip.out = &j->main;
    z->file.fd = -1;
    z->part.fd = -1;
    rc = write_outline(j, err);
    if (rc == 0)
        rc = export_terms(j, &j->side, err);
    if (rc == 0)
        rc = npy_begin(&z->zip, "indices.npy", z->index_type, &j->entries,
                       err);
    return rc == 0 ? open_values(j, err) : rc;
}

/* ---- rows ------------------------------------------------------------ */

/* Append entries [i, end) of the row.  Inlined for each size of the numbers. */
static inline void put_entries(struct output *to, const struct export_row *row,
                               size_t i, size_t end, size_t index_size)
{
    char *column = to->p[COLUMNS], *value = to->p[VALUES];

    for (; i < end; i++) {
        put_number(column, index_size, row->entries[i].term);
        column += index_size;
        if (row->scores) {
            uint64_t bits;

            memcpy(&bits, &row->scores[i], sizeof bits);
            put_le64(value, bits);
            value += 8;
        } else {
            put_le32(value, row->entries[i].count);
            value += 4;
        }
    }
    to->p[COLUMNS] = column;
    to->p[VALUES] = value;
}

static int format_row(void *self, const struct export_row *row,
                      struct output *to, struct cooc_err *err)
{
    const struct export_job *j = self;
    const struct npz *z = j->state;
    size_t index_size = size_of(z->index_type);
    size_t value_size = size_of(z->value_type);

    for (size_t i = 0; i < row->n;) {
        size_t columns = output_left(to, COLUMNS) / index_size;
        size_t values = output_left(to, VALUES) / value_size;
        size_t fit = columns < values ? columns : values;
        size_t end = fit < row->n - i ? i + fit : row->n;
        int rc;

        if (index_size == 4)
            put_entries(to, row, i, end, 4);
        else
            put_entries(to, row, i, end, 8);
        i = end;
        rc = i < row->n ? output_pass(to, err) : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
}

static void seal(void *self, struct output *to)
{
    (void)self;
    for (unsigned i = COLUMNS; i <= VALUES; i++)
        to->crc[i] = zip_sum(to->buf[i], output_used(to, i));
}

static int take(void *self, const struct output *from, struct cooc_err *err)
{
    struct export_job *j = self;
    struct npz *z = j->state;
    size_t len = output_used(from, VALUES);
    int rc = zip_writer_add_summed(&z->zip, from->buf[COLUMNS],
                                   output_used(from, COLUMNS),
                                   from->crc[COLUMNS], err);

    z->values_crc = zip_sum_join(z->values_crc, from->crc[VALUES], len);
    z->values_len += len;
    j->written += from->entries;
    if (rc < 0)
        return rc;
    return z->parts ? sink_add(&z->part, from->buf[VALUES], len, err)
                    : spool_add(&z->values, &z->file, from->buf[VALUES], len,
                                err);
}

/* Write the values from the temporary file. */
static int copy_values(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    struct spool_reader in;
    int rc = 0;

    spool_reader_init(&in, &z->file, &z->values, z->window, CHUNK);
    while (rc == 0 && in.left > 0) {
        size_t n = in.left < CHUNK ? (size_t)in.left : CHUNK;

        rc = spool_read(&in, z->chunk, n, err);
        if (rc == 0)
            rc = zip_writer_add(&z->zip, z->chunk, n, err);
        if (rc == 0)
            rc = watch_add(j->sel.watch, 0, 0, 0, err);
    }
    return rc;
}

static int end(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    int rc = npy_begin(&z->zip, "data.npy", z->value_type, &j->entries, err);

    if (rc == 0 && z->parts) {
        z->zip.out = &z->part;
        zip_writer_skip(&z->zip, z->values_len, z->values_crc);
    } else if (rc == 0) {
        rc = copy_values(j, err);
    }
    if (rc == 0)
        rc = zip_writer_end(&z->zip, err);
    return rc == 0 && z->parts ? sink_join(&j->main, &z->part, err) : rc;
}

static void release(struct export_job *j)
{
    struct npz *z = j->state;

    if (z->index_type) { /* begin() was called */
        spool_file_close(&z->file);
        sink_release(&z->part);
    }
    mem_free(z->values.pieces);
}

const struct exporter export_npz = {
    .name = "npz", .summary = "a scipy.sparse matrix, with its terms",
    .flags = EXPORT_SURVEYED | EXPORT_BOTH | EXPORT_EITHER | EXPORT_FROM_ROW,
    .state_size = sizeof(struct npz),
    .file = "matrix.npz", .side = "matrix.npz.terms.txt",
    .ending = "", .side_ending = ".terms.txt",
    .begin = begin, .format = format_row, .seal = seal, .take = take,
    .streams = 2, .end = end, .release = release,
};
