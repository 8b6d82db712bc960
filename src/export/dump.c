/* dump.c - cooc_dump(): detect the kind of file. */
#include "export/dump.h"

#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/recognise.h"
#include "base/sized.h"
#include "base/workdir.h"
#include "cooc_export.h"

/* ---- bytes ----------------------------------------------------------- */

int byte_reader_open(struct byte_reader *b, const char *path,
                     struct cooc_err *err)
{
    *b = (struct byte_reader){ 0 };
    return stream_open(&b->stream, path, &b->stats, NULL, err);
}

void byte_reader_close(struct byte_reader *b)
{
    stream_close(b->stream);
    *b = (struct byte_reader){ 0 };
}

/* Fill the buffer.  Returns 1 if there is at least one byte, 0 at the end. */
static int refill(struct byte_reader *b, struct cooc_err *err)
{
    return b->left ? 1 : stream_block(b->stream, &b->at, &b->left, err);
}

int byte_reader_take(struct byte_reader *b, void *out, size_t n,
                     struct cooc_err *err)
{
    char *to = out;
    size_t have = 0;

    while (have < n) {
        int rc = refill(b, err);
        size_t some;

        if (rc < 0 || (rc == 0 && have == 0))
            return rc;
        if (rc == 0)
            return err_path(err, COOC_EFORMAT, stream_name(b->stream),
                            "is truncated");
        some = b->left < n - have ? b->left : n - have;
        memcpy(to + have, b->at, some);
        b->at += some;
        b->left -= some;
        have += some;
    }
    return 1;
}

int byte_reader_line(struct byte_reader *b, char *out, size_t room, size_t *len,
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
            return err_path(err, COOC_EFORMAT, stream_name(b->stream),
                            "a line is too long: at most %zu bytes are "
                            "supported", room - 1);
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
        return err_path(err, COOC_EFORMAT, d->path,
                        "row %llu, column %llu is outside the matrix",
                        (unsigned long long)row, (unsigned long long)column);
    d->report.cells++;
    return d->fn(d->self, &cell, err);
}

/* Reject a directory; often it is the store itself. */
static int refuse_directory(const char *path, struct cooc_err *err)
{
    struct stat st;

    if (workdir_stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return 0; /* opening it reports the error */
    if (recognise_store(path))
        return err_path(err, COOC_EFORMAT, path,
                        "expected a matrix, found a store; query it instead");
    return err_path(err, COOC_EFORMAT, path,
                    "is a directory; name a file in it");
}

int cooc_dump(const char *path, cooc_dump_fn about, cooc_cell_fn fn,
              void *self, struct cooc_dump_report *report,
              struct cooc_err *err)
{
    static const char market[] = "%%MatrixMarket";
    struct dump d = { .path = path, .about = about, .fn = fn, .self = self };
    struct byte_reader in = { 0 };
    struct workdir workdir;
    const char *head;
    size_t len = 0;
    int rc;

    err_clear(err);
    rc = workdir_begin(&workdir, err);
    d.report.size = sizeof d.report;
    if (rc == 0)
        rc = sized_check(report, "dump report", err);
    if (rc == 0)
        rc = refuse_directory(path, err);
    if (rc == 0)
        rc = byte_reader_open(&in, path, err);
    if (rc == 0)
        rc = stream_entry(in.stream, err);
    if (rc > 0 && stream_is_archive(in.stream)) {
        rc = dump_npz(&d, err);
    } else if (rc > 0) {
        rc = stream_peek(in.stream, sizeof market - 1, &head, &len, err);
        if (rc >= 0 && len >= sizeof market - 1 &&
            !memcmp(head, market, sizeof market - 1))
            rc = dump_mtx(&d, &in, err);
        else if (rc >= 0)
            rc = dump_glove(&d, &in, err);
    }
    sized_write(report, &d.report, sizeof d.report);
    byte_reader_close(&in);
    workdir_end(&workdir);
    return library_alloc_end(rc, err);
}
