/* exp_npz.c - scipy.sparse: a CSR matrix in a zip file of arrays.
 *
 *     indices.npy   columns, row after row       data.npy    values
 *     indptr.npy    where each row begins        shape.npy, format.npy
 *
 * A zip file is written from front to back, so values wait in a temporary
 * file while columns are written.  Sizes are known before, from the survey.
 * scipy wants indptr and indices of one type: 32 bits if all of the numbers
 * fit, else 64.  Counts have 32 bits, measures are doubles.
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

struct npz {
    struct zip_writer zip;
    struct spool_file file;
    struct spool values;
    const char *index_type, *value_type; /* as numpy names them */
    uint8_t columns[CHUNK], numbers[CHUNK]; /* of entries not yet written */
    size_t columns_len, numbers_len;
};

/* ---- arrays ---------------------------------------------------------- */

/* Begin the member name.npy: an array of n items, or a single one. */
static int npy_begin(struct npz *z, const char *name, const char *type,
                     const uint64_t *n, struct cooc_err *err)
{
    char text[HEADER_MAX], shape[32] = "", about[HEADER_MAX - 64];
    int len, rc;

    if (n)
        snprintf(shape, sizeof shape, "%" PRIu64 ",", *n);
    len = snprintf(about, sizeof about,
                   "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                   type, shape);
    len = (10 + len) / 64 * 64 + 64; /* data begin at a multiple of 64 */
    snprintf(text + 10, sizeof text - 10, "%-*s\n", len - 11, about);
    memcpy(text, "\x93NUMPY\x01\x00", 8);
    text[8] = (char)((len - 10) & 0xff);
    text[9] = (char)((len - 10) >> 8);
    rc = zip_writer_begin(&z->zip, name, (uint64_t)len + (n ? *n : 1) *
                          (uint64_t)(type[2] - '0'), err);
    return rc < 0 ? rc : zip_writer_add(&z->zip, text, (size_t)len, err);
}

static size_t put_index(const struct npz *z, uint8_t *to, uint64_t v)
{
    if (z->index_type[2] == '8') {
        put_le64(to, v);
        return 8;
    }
    put_le32(to, (uint32_t)v);
    return 4;
}

static int flush(struct npz *z, struct cooc_err *err)
{
    int rc = zip_writer_add(&z->zip, z->columns, z->columns_len, err);

    if (rc == 0)
        rc = spool_add(&z->values, &z->file, z->numbers, z->numbers_len, err);
    z->columns_len = z->numbers_len = 0;
    return rc;
}

/* format, shape and indptr: what is known before the first row. */
static int write_outline(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    const struct selection *s = &j->sel;
    uint64_t two = 2, n = (uint64_t)s->n + 1, sum = 0;
    uint8_t shape[16];
    int rc = npy_begin(z, "format.npy", "|S3", NULL, err);

    if (rc == 0)
        rc = zip_writer_add(&z->zip, "csr", 3, err);
    if (rc == 0)
        rc = npy_begin(z, "shape.npy", "<i8", &two, err);
    put_le64(shape, s->n);
    put_le64(shape + 8, s->n);
    if (rc == 0)
        rc = zip_writer_add(&z->zip, shape, sizeof shape, err);
    if (rc == 0)
        rc = npy_begin(z, "indptr.npy", z->index_type, &n, err);
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        z->columns_len += put_index(z, z->columns + z->columns_len, sum);
        if (i < s->n)
            sum += s->before[i] + (j->symmetric ? s->after[i] : 0) +
                   (j->o->diagonal ? 1 : 0);
        if (z->columns_len == CHUNK || i + 1 == n)
            rc = flush(z, err);
    }
    return rc;
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
    rc = spool_file_open(&z->file, j->tmpdir, err);
    if (rc == 0)
        rc = write_outline(j, err);
    if (rc == 0)
        rc = export_terms(j, &j->side, err);
    if (rc == 0)
        rc = npy_begin(z, "indices.npy", z->index_type, &j->entries, err);
    return rc;
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct export_job *j = self;
    struct npz *z = j->state;
    int rc = 0;

    for (size_t i = 0; i < row->n && rc == 0; i++) {
        z->columns_len +=
            put_index(z, z->columns + z->columns_len, row->entries[i].term);
        if (row->scores) {
            uint64_t bits;

            memcpy(&bits, &row->scores[i], sizeof bits);
            put_le64(z->numbers + z->numbers_len, bits);
            z->numbers_len += 8;
        } else {
            put_le32(z->numbers + z->numbers_len, row->entries[i].count);
            z->numbers_len += 4;
        }
        if (z->columns_len == CHUNK || z->numbers_len == CHUNK)
            rc = flush(z, err);
    }
    j->written += row->n;
    return rc;
}

static int end(struct export_job *j, struct cooc_err *err)
{
    struct npz *z = j->state;
    struct spool_reader in;
    int rc = flush(z, err);

    if (rc == 0)
        rc = npy_begin(z, "data.npy", z->value_type, &j->entries, err);
    spool_reader_init(&in, &z->file, &z->values, z->numbers, CHUNK);
    while (rc == 0 && in.left > 0) {
        size_t n = in.left < CHUNK ? (size_t)in.left : CHUNK;

        rc = spool_read(&in, z->columns, n, err);
        if (rc == 0)
            rc = zip_writer_add(&z->zip, z->columns, n, err);
        if (rc == 0)
            rc = watch_add(j->sel.watch, 0, 0, 0, err);
    }
    return rc < 0 ? rc : zip_writer_end(&z->zip, err);
}

static void release(struct export_job *j)
{
    struct npz *z = j->state;

    if (z->index_type) /* begin() has been there */
        spool_file_close(&z->file);
    mem_free(z->values.pieces);
}

const struct exporter export_npz = {
    .name = "npz", .summary = "a scipy.sparse matrix, with its terms",
    .flags = EXPORT_SURVEYED | EXPORT_BOTH | EXPORT_EITHER | EXPORT_FROM_ROW,
    .state_size = sizeof(struct npz),
    .file = "matrix.npz", .side = "matrix.npz.terms.txt",
    .ending = "", .side_ending = ".terms.txt",
    .begin = begin, .row = write_row, .end = end, .release = release,
};
