/* dump.c - cooc_dump(): which kind of file it is, and GloVe's records. */
#include "export/dump.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"

#define RECORD 16u /* GloVe's: two int32 and a double */

/* ---- bytes ----------------------------------------------------------- */

int bytes_open(struct bytes_in *b, const char *path, struct cooc_err *err)
{
    *b = (struct bytes_in){ 0 };
    return stream_open(&b->stream, path, &b->stats, NULL, err);
}

void bytes_close(struct bytes_in *b)
{
    stream_close(b->stream);
    *b = (struct bytes_in){ 0 };
}

/* 1: there is at least one byte. */
static int refill(struct bytes_in *b, struct cooc_err *err)
{
    return b->left ? 1 : stream_block(b->stream, &b->at, &b->left, err);
}

int bytes_take(struct bytes_in *b, void *out, size_t n, struct cooc_err *err)
{
    char *to = out;
    size_t have = 0;

    while (have < n) {
        int rc = refill(b, err);
        size_t some;

        if (rc < 0 || (rc == 0 && have == 0))
            return rc;
        if (rc == 0)
            return err_set(err, COOC_EFORMAT, "%s: is cut off",
                           stream_name(b->stream));
        some = b->left < n - have ? b->left : n - have;
        memcpy(to + have, b->at, some);
        b->at += some;
        b->left -= some;
        have += some;
    }
    return 1;
}

int bytes_line(struct bytes_in *b, char *out, size_t room, size_t *len,
               struct cooc_err *err)
{
    size_t n = 0;
    int rc;

    while ((rc = refill(b, err)) > 0) {
        char c = *b->at++;

        b->left--;
        if (c == '\n')
            break;
        if (n + 1 >= room)
            return err_set(err, COOC_EFORMAT, "%s: a line is too long",
                           stream_name(b->stream));
        out[n++] = c;
    }
    if (rc < 0)
        return rc;
    if (n && out[n - 1] == '\r')
        n--;
    out[n] = '\0';
    *len = n;
    return rc > 0 || n > 0;
}

/* ---- cells ----------------------------------------------------------- */

int dump_about(struct dump *d, struct cooc_err *err)
{
    return d->about ? d->about(d->self, &d->report, err) : 0;
}

int dump_cell(struct dump *d, uint64_t row, uint64_t column, double value,
              struct cooc_err *err)
{
    const struct cooc_dump_report *r = &d->report;
    struct cooc_cell cell = { .row = row, .column = column, .value = value };

    if (row < r->first || column < r->first ||
        (r->rows && row - r->first >= r->rows) ||
        (r->columns && column - r->first >= r->columns))
        return err_set(err, COOC_EFORMAT, "%s: there is no row %llu, column "
                       "%llu in this matrix", d->path,
                       (unsigned long long)row, (unsigned long long)column);
    d->report.cells++;
    return d->fn(d->self, &cell, err);
}

static int not_glove(const struct dump *d, struct cooc_err *err)
{
    return err_set(err, COOC_EFORMAT, "%s: this is no Matrix Market file, no "
                   ".npz file and not GloVe's cooccurrence.bin", d->path);
}

static int dump_glove(struct dump *d, struct bytes_in *in,
                      struct cooc_err *err)
{
    uint8_t record[RECORD];
    int rc;

    d->report.format = "glove";
    d->report.first = 1;
    rc = dump_about(d, err);
    while (rc == 0 && (rc = bytes_take(in, record, RECORD, err)) > 0) {
        uint64_t bits = get_le64(record + 8);
        uint32_t one = get_le32(record), two = get_le32(record + 4);
        double value;

        memcpy(&value, &bits, sizeof value);
        if (one > INT32_MAX || two > INT32_MAX || !one || !two)
            return not_glove(d, err);
        rc = dump_cell(d, one, two, value, err);
    }
    return rc;
}

int cooc_dump(const char *path, cooc_dump_fn about, cooc_cell_fn fn,
              void *self, struct cooc_dump_report *report,
              struct cooc_err *err)
{
    static const char market[] = "%%MatrixMarket";
    struct dump d = { .path = path, .about = about, .fn = fn, .self = self };
    struct bytes_in in;
    const char *head;
    size_t len = 0;
    int rc = bytes_open(&in, path, err);

    if (rc == 0)
        rc = stream_entry(in.stream, err);
    if (rc > 0 && stream_is_archive(in.stream)) {
        rc = dump_npz(&d, err);
    } else if (rc > 0) {
        rc = stream_peek(in.stream, sizeof market - 1, &head, &len, err);
        if (rc >= 0 && len >= sizeof market - 1 &&
            !memcmp(head, market, sizeof market - 1))
            rc = dump_mtx(&d, &in, err);
        else if (rc >= 0 && len && !memchr(head, 0, len))
            rc = not_glove(&d, err); /* its numbers have zeros: it is text */
        else if (rc >= 0)
            rc = dump_glove(&d, &in, err);
    }
    if (report)
        *report = d.report;
    bytes_close(&in);
    return rc;
}
