/* dump_npz.c - a sparse matrix of scipy: csr, csc or coo.
 *
 * The arrays of a matrix stand one after the other in a zip file, and a cell
 * needs one item of each.  So the file is opened once for each array, and all
 * are read side by side, whatever their size.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "export/dump.h"

#define HEAD_MAX 65536u

struct npy {
    struct bytes_in in;
    struct npy_head head;
    uint64_t taken;
    const char *name;
};

/* ---- one array ------------------------------------------------------- */

static bool parse_number(const char **p, const char *end, uint64_t *v)
{
    const char *start = *p;

    *v = 0;
    for (; *p < end && **p >= '0' && **p <= '9'; ++*p)
        if (__builtin_mul_overflow(*v, 10, v) ||
            __builtin_add_overflow(*v, (uint64_t)(**p - '0'), v))
            return false;
    return *p > start;
}

static const char *find(const char *text, size_t len, const char *what)
{
    const char *at = memmem(text, len, what, strlen(what));

    return at ? at + strlen(what) : NULL;
}

bool npy_parse(const char *text, size_t len, struct npy_head *out)
{
    const char *end = text + len, *p = find(text, len, "'descr': '");
    uint64_t size;

    *out = (struct npy_head){ 0 };
    if (!p || end - p < 3 || !strchr("<|", *p) || !strchr("iufbSU", p[1]))
        return false;
    out->kind = p[1];
    p += 2;
    if (!parse_number(&p, end, &size) || size < 1 || size > 64 || p == end ||
        *p != '\'')
        return false;
    out->size = (size_t)(out->kind == 'U' ? 4 * size : size);
    if (!find(text, len, "'fortran_order': False"))
        return false;
    p = find(text, len, "'shape': (");
    if (!p || p == end)
        return false;
    out->single = *p == ')';
    out->items = 1;
    if (out->single)
        return true;
    return parse_number(&p, end, &out->items) && end - p >= 2 &&
           p[0] == ',' && p[1] == ')';
}

static int bad_array(const struct dump *d, const char *name,
                     struct cooc_err *err)
{
    return err_set(err, COOC_EFORMAT, "%s: its array '%s' is none that a "
                   "sparse matrix has", d->path, name);
}

static int read_head(const struct dump *d, struct npy *a,
                     struct cooc_err *err)
{
    uint8_t start[12];
    char text[HEAD_MAX];
    size_t len;
    int rc = bytes_take(&a->in, start, 10, err);

    if (rc <= 0 || memcmp(start, "\x93NUMPY", 6) || start[6] < 1 ||
        start[6] > 3)
        return rc < 0 ? rc : bad_array(d, a->name, err);
    len = start[8] | (size_t)start[9] << 8;
    if (start[6] > 1) { /* four bytes of length */
        rc = bytes_take(&a->in, start + 10, 2, err);
        if (rc <= 0)
            return rc < 0 ? rc : bad_array(d, a->name, err);
        len = get_le32(start + 8);
    }
    if (len > HEAD_MAX)
        return bad_array(d, a->name, err);
    rc = bytes_take(&a->in, text, len, err);
    if (rc < 0)
        return rc;
    return rc > 0 && npy_parse(text, len, &a->head)
               ? 0
               : bad_array(d, a->name, err);
}

/* Find the array in the file. */
static int npy_open(const struct dump *d, struct npy *a, const char *name,
                    struct cooc_err *err)
{
    size_t n = strlen(name);
    int rc = bytes_open(&a->in, d->path, err);

    a->name = name;
    while (rc == 0 && (rc = stream_entry(a->in.stream, err)) > 0) {
        const char *entry = stream_name(a->in.stream);
        size_t len = strlen(entry);

        if (len > n && entry[len - n - 1] == '/' &&
            !strcmp(entry + len - n, name))
            return read_head(d, a, err);
        rc = 0;
    }
    return rc < 0 ? rc
                  : err_set(err, COOC_EFORMAT, "%s: there is no '%s' in it: "
                            "no sparse matrix that scipy has saved", d->path,
                            name);
}

static int next_item(const struct dump *d, struct npy *a, uint8_t item[256],
                     struct cooc_err *err)
{
    int rc = a->taken < a->head.items
                 ? bytes_take(&a->in, item, a->head.size, err)
                 : 0;

    a->taken++;
    return rc < 0 ? rc : rc > 0 ? 0 : bad_array(d, a->name, err);
}

static int next_index(const struct dump *d, struct npy *a, uint64_t *v,
                      struct cooc_err *err)
{
    uint8_t item[256];
    int rc = next_item(d, a, item, err);

    if (rc < 0)
        return rc;
    if (a->head.kind != 'i' || (a->head.size != 4 && a->head.size != 8))
        return bad_array(d, a->name, err);
    *v = a->head.size == 4 ? get_le32(item) : get_le64(item);
    return *v >> (8 * a->head.size - 1) ? bad_array(d, a->name, err) : 0;
}

static int next_value(const struct dump *d, struct npy *a, double *v,
                      struct cooc_err *err)
{
    uint8_t item[256];
    uint64_t bits = 0;
    unsigned shift = 64 - 8 * (unsigned)a->head.size;
    int rc = next_item(d, a, item, err);

    if (rc < 0)
        return rc;
    if (a->head.size > 8 || a->head.size & (a->head.size - 1))
        return bad_array(d, a->name, err);
    for (size_t i = 0; i < a->head.size; i++)
        bits |= (uint64_t)item[i] << 8 * i;
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
        return bad_array(d, a->name, err);
    }
    return 0;
}

/* ---- matrices -------------------------------------------------------- */

/* "csr" and the like; bytes or 32-bit letters. */
static int read_format(const struct dump *d, char format[4],
                       struct cooc_err *err)
{
    struct npy a = { 0 };
    uint8_t item[256];
    int rc = npy_open(d, &a, "format.npy", err);

    if (rc == 0)
        rc = next_item(d, &a, item, err);
    if (rc == 0) {
        size_t step = a.head.kind == 'U' ? 4 : 1;

        if ((a.head.kind != 'U' && a.head.kind != 'S') ||
            a.head.size != 3 * step)
            rc = bad_array(d, a.name, err);
        for (size_t i = 0; i < 3 && rc == 0; i++)
            format[i] = (char)item[i * step];
        format[3] = '\0';
    }
    bytes_close(&a.in);
    return rc;
}

static int read_shape(struct dump *d, struct cooc_err *err)
{
    struct npy a = { 0 };
    int rc = npy_open(d, &a, "shape.npy", err);

    if (rc == 0)
        rc = next_index(d, &a, &d->report.rows, err);
    if (rc == 0)
        rc = next_index(d, &a, &d->report.columns, err);
    bytes_close(&a.in);
    return rc;
}

static int dump_coo(struct dump *d, struct npy *arrays, struct cooc_err *err)
{
    uint64_t n, row = 0, column = 0;
    double value = 0;
    int rc = npy_open(d, &arrays[0], "row.npy", err);

    if (rc == 0)
        rc = npy_open(d, &arrays[1], "col.npy", err);
    if (rc == 0)
        rc = npy_open(d, &arrays[2], "data.npy", err);
    n = arrays[0].head.items;
    if (rc == 0 && (arrays[1].head.items != n || arrays[2].head.items != n))
        rc = bad_array(d, "data.npy", err);
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        rc = next_index(d, &arrays[0], &row, err);
        if (rc == 0)
            rc = next_index(d, &arrays[1], &column, err);
        if (rc == 0)
            rc = next_value(d, &arrays[2], &value, err);
        if (rc == 0)
            rc = dump_cell(d, row, column, value, err);
    }
    return rc;
}

/* Rows of csr; for csc they are columns. */
static int dump_compressed(struct dump *d, struct npy *arrays, bool columns,
                           struct cooc_err *err)
{
    uint64_t outer = columns ? d->report.columns : d->report.rows;
    uint64_t at = 0, end = 0, inner = 0;
    double value = 0;
    int rc = npy_open(d, &arrays[0], "indptr.npy", err);

    if (rc == 0)
        rc = npy_open(d, &arrays[1], "indices.npy", err);
    if (rc == 0)
        rc = npy_open(d, &arrays[2], "data.npy", err);
    if (rc == 0 && (arrays[0].head.items != outer + 1 ||
                    arrays[1].head.items != arrays[2].head.items))
        rc = bad_array(d, "indptr.npy", err);
    if (rc == 0)
        rc = next_index(d, &arrays[0], &at, err);
    for (uint64_t i = 0; i < outer && rc == 0; i++) {
        rc = next_index(d, &arrays[0], &end, err);
        if (rc == 0 && (end < at || end > arrays[1].head.items))
            rc = bad_array(d, "indptr.npy", err);
        for (; at < end && rc == 0; at++) {
            rc = next_index(d, &arrays[1], &inner, err);
            if (rc == 0)
                rc = next_value(d, &arrays[2], &value, err);
            if (rc == 0)
                rc = dump_cell(d, columns ? inner : i, columns ? i : inner,
                               value, err);
        }
    }
    return rc;
}

int dump_npz(struct dump *d, struct cooc_err *err)
{
    struct npy arrays[3] = { { .name = NULL } };
    char format[4];
    int rc = read_format(d, format, err);

    d->report.format = "npz";
    if (rc == 0)
        rc = read_shape(d, err);
    if (rc == 0)
        rc = dump_about(d, err);
    if (rc == 0) {
        if (!strcmp(format, "csr") || !strcmp(format, "csc"))
            rc = dump_compressed(d, arrays, !strcmp(format, "csc"), err);
        else if (!strcmp(format, "coo"))
            rc = dump_coo(d, arrays, err);
        else
            rc = err_set(err, COOC_EFORMAT, "%s: a matrix of the kind '%s'; "
                         "csr, csc and coo can be read", d->path, format);
    }
    for (size_t i = 0; i < 3; i++)
        bytes_close(&arrays[i].in);
    return rc;
}
