/* dump_npz.c - a sparse matrix of scipy: csr, csc or coo.
 *
 * The arrays of a matrix are one after the other in a zip file, and a cell
 * needs one item of each.  So the file is opened once for each array, and all
 * are read side by side, whatever their size.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "export/dump.h"
#include "read/scan.h"

#define HEAD_MAX 65536u
#define ITEM_MAX 256u /* 64 letters of 32 bits */

struct npy {
    const struct dump *d;
    const char *name;
    struct byte_reader in;
    struct npy_head head;
    uint64_t taken;
};

/* ---- one array ------------------------------------------------------- */

/* What follows the first what in the text. */
static bool find(const char *text, size_t len, const char *what,
                 struct scan *out)
{
    const char *at = memmem(text, len, what, strlen(what));

    *out = at ? scan_of(at + strlen(what),
                        (size_t)(text + len - at) - strlen(what))
              : scan_of(NULL, 0);
    return at != NULL;
}

bool npy_parse(const char *text, size_t len, struct npy_head *out)
{
    struct scan s;
    uint64_t size;

    *out = (struct npy_head){ 0 };
    if (!find(text, len, "'fortran_order': False", &s) ||
        !find(text, len, "'descr': '", &s) || s.end - s.at < 3 ||
        !strchr("<|", s.at[0]) || !strchr("iufbSU", s.at[1]))
        return false;
    out->kind = s.at[1];
    s.at += 2;
    if (!scan_u64(&s, &size) || size < 1 || size > 64 || !scan_char(&s, '\''))
        return false;
    out->size = (size_t)(out->kind == 'U' ? 4 * size : size);
    out->items = 1;
    return find(text, len, "'shape': (", &s) &&
           (scan_char(&s, ')') ||
            (scan_u64(&s, &out->items) && scan_char(&s, ',') &&
             scan_char(&s, ')')));
}

static int bad_array(const struct npy *a, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, a->d->path,
                    "is not a sparse matrix saved by scipy: its array '%s' "
                    "has an unexpected type or size", a->name);
}

/* The next n bytes, which must be there. */
static int take(struct npy *a, void *out, size_t n, struct cooc_err *err)
{
    int rc = byte_reader_take(&a->in, out, n, err);

    return rc < 0 ? rc : rc > 0 ? 0 : bad_array(a, err);
}

static int read_head(struct npy *a, struct cooc_err *err)
{
    uint8_t start[12] = { 0 };
    char text[HEAD_MAX];
    size_t len;
    int rc = take(a, start, 10, err);

    if (rc == 0 && (memcmp(start, "\x93NUMPY", 6) || start[6] < 1 ||
                    start[6] > 3))
        rc = bad_array(a, err);
    if (rc == 0 && start[6] > 1) /* four bytes of length */
        rc = take(a, start + 10, 2, err);
    len = get_le32(start + 8);
    if (rc == 0)
        rc = len > HEAD_MAX ? bad_array(a, err) : take(a, text, len, err);
    return rc < 0 || npy_parse(text, len, &a->head) ? rc : bad_array(a, err);
}

/* Find the array in the file. */
static int npy_open(struct npy *a, const struct dump *d, const char *name,
                    struct cooc_err *err)
{
    size_t n = strlen(name);
    int rc = byte_reader_open(&a->in, d->path, err);

    a->d = d;
    a->name = name;
    while (rc == 0 && (rc = stream_entry(a->in.stream, err)) > 0) {
        const char *entry = stream_name(a->in.stream);
        size_t len = strlen(entry);

        if (len > n && entry[len - n - 1] == '/' &&
            !strcmp(entry + len - n, name))
            return read_head(a, err);
        rc = 0;
    }
    return rc < 0 ? rc
                  : err_path(err, COOC_EFORMAT, d->path,
                             "is not a sparse matrix saved by scipy: it has "
                             "no array '%s'", name);
}

static int next_item(struct npy *a, uint8_t item[ITEM_MAX],
                     struct cooc_err *err)
{
    return a->taken++ < a->head.items ? take(a, item, a->head.size, err)
                                      : bad_array(a, err);
}

/* An item of at most 8 bytes. */
static int next_bits(struct npy *a, uint64_t *bits, struct cooc_err *err)
{
    uint8_t item[ITEM_MAX] = { 0 };
    int rc = next_item(a, item, err);

    *bits = get_le64(item);
    if (rc == 0 && (a->head.size > 8 || a->head.size & (a->head.size - 1)))
        rc = bad_array(a, err);
    return rc;
}

static int next_index(struct npy *a, uint64_t *v, struct cooc_err *err)
{
    int rc = next_bits(a, v, err);

    if (rc == 0 && (a->head.kind != 'i' || a->head.size < 4 ||
                    *v >> (8 * a->head.size - 1)))
        rc = bad_array(a, err);
    return rc;
}

static int next_value(struct npy *a, double *v, struct cooc_err *err)
{
    uint64_t bits;
    int rc = next_bits(a, &bits, err);
    unsigned shift = 64 - 8 * (unsigned)a->head.size;

    if (rc < 0)
        return rc;
    if (a->head.kind == 'i') {
        *v = (double)((int64_t)(bits << shift) >> shift);
    } else if (a->head.kind == 'u' || a->head.kind == 'b') {
        *v = (double)bits;
    } else if (a->head.kind == 'f' && a->head.size == 8) {
        memcpy(v, &bits, sizeof *v);
    } else if (a->head.kind == 'f' && a->head.size == 4) {
        uint32_t half = (uint32_t)bits;
        float single;

        memcpy(&single, &half, sizeof single);
        *v = (double)single;
    } else {
        return bad_array(a, err);
    }
    return 0;
}

/* ---- matrices -------------------------------------------------------- */

/* "csr" and the like, in bytes or 32-bit letters. */
static int read_format(const struct dump *d, char format[4],
                       struct cooc_err *err)
{
    struct npy a = { 0 };
    uint8_t item[ITEM_MAX];
    int rc = npy_open(&a, d, "format.npy", err);
    size_t step = a.head.kind == 'U' ? 4 : 1;

    if (rc == 0)
        rc = next_item(&a, item, err);
    if (rc == 0 && ((a.head.kind != 'U' && a.head.kind != 'S') ||
                    a.head.size != 3 * step))
        rc = bad_array(&a, err);
    for (size_t i = 0; i < 3 && rc == 0; i++)
        format[i] = (char)item[i * step];
    format[3] = '\0';
    byte_reader_close(&a.in);
    return rc;
}

static int read_shape(struct dump *d, struct cooc_err *err)
{
    struct npy a = { 0 };
    int rc = npy_open(&a, d, "shape.npy", err);

    if (rc == 0)
        rc = next_index(&a, &d->report.rows, err);
    if (rc == 0)
        rc = next_index(&a, &d->report.columns, err);
    byte_reader_close(&a.in);
    return rc;
}

/* The next cell of this row, or, for csc, column. */
static int next_cell(struct dump *d, struct npy *arrays, uint64_t outer,
                     bool columns, struct cooc_err *err)
{
    uint64_t inner = 0;
    double value = 0;
    int rc = next_index(&arrays[1], &inner, err);

    if (rc == 0)
        rc = next_value(&arrays[2], &value, err);
    if (rc == 0)
        rc = dump_cell(d, columns ? inner : outer, columns ? outer : inner,
                       value, err);
    return rc;
}

static int dump_coo(struct dump *d, struct npy *arrays, struct cooc_err *err)
{
    uint64_t n = arrays[0].head.items, row = 0;
    int rc = 0;

    if (arrays[1].head.items != n || arrays[2].head.items != n)
        return bad_array(&arrays[2], err);
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        rc = next_index(&arrays[0], &row, err);
        if (rc == 0)
            rc = next_cell(d, arrays, row, false, err);
    }
    return rc;
}

/* Rows of csr; for csc they are columns. */
static int dump_compressed(struct dump *d, struct npy *arrays, bool columns,
                           struct cooc_err *err)
{
    uint64_t outer = columns ? d->report.columns : d->report.rows;
    uint64_t n = arrays[1].head.items, at = 0, end = 0;
    int rc;

    if (arrays[0].head.items != outer + 1 || arrays[2].head.items != n)
        return bad_array(&arrays[0], err);
    rc = next_index(&arrays[0], &at, err);
    for (uint64_t i = 0; i < outer && rc == 0; i++) {
        rc = next_index(&arrays[0], &end, err);
        if (rc == 0 && (end < at || end > n))
            rc = bad_array(&arrays[0], err);
        for (; at < end && rc == 0; at++)
            rc = next_cell(d, arrays, i, columns, err);
    }
    return rc;
}

int dump_npz(struct dump *d, struct cooc_err *err)
{
    static const char *const coo[] = { "row.npy", "col.npy", "data.npy" };
    static const char *const compressed[] = { "indptr.npy", "indices.npy",
                                              "data.npy" };
    struct npy arrays[3] = { { .name = NULL } };
    char format[4];
    int rc = read_format(d, format, err);
    bool is_coo, columns;

    d->report.format = "npz";
    if (rc == 0)
        rc = read_shape(d, err);
    if (rc == 0)
        rc = dump_about(d, err);
    if (rc < 0)
        return rc;
    is_coo = !strcmp(format, "coo");
    columns = !strcmp(format, "csc");
    if (!is_coo && !columns && strcmp(format, "csr"))
        return err_path(err, COOC_EFORMAT, d->path,
                        "matrices of kind '%s' are not supported; use csr, "
                        "csc or coo", format);
    for (size_t i = 0; i < 3 && rc == 0; i++)
        rc = npy_open(&arrays[i], d, is_coo ? coo[i] : compressed[i], err);
    if (rc == 0)
        rc = is_coo ? dump_coo(d, arrays, err)
                    : dump_compressed(d, arrays, columns, err);
    for (size_t i = 0; i < 3; i++)
        byte_reader_close(&arrays[i].in);
    return rc;
}
