/* dump_mtx.c - Matrix Market: header, comments, sizes, a cell a line. */
#include <stdio.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/decimal.h"
#include "base/err.h"
#include "export/dump.h"
#include "read/scan.h"

#define LINE_MAX_BYTES 4096

struct market {
    struct byte_reader *in;
    uint64_t line;
    char text[LINE_MAX_BYTES];
    size_t len;
    bool pattern; /* cells have no value: it is 1 */
};

static int wrong(const struct dump *d, const struct market *m,
                 const char *what, struct cooc_err *err)
{
    return err_line(err, COOC_EFORMAT, d->path, m->line, "%s", what);
}

/* The next line that is not empty and no comment. */
static int next_line(struct market *m, struct cooc_err *err)
{
    int rc;

    do {
        rc = byte_reader_line(m->in, m->text, sizeof m->text, &m->len, err);
        m->line++;
    } while (rc > 0 && (m->text[0] == '%' ||
                        strspn(m->text, " \t\r") == m->len));
    return rc;
}

static int read_header(struct dump *d, struct market *m,
                       struct cooc_err *err)
{
    char object[32], layout[32], field[32], symmetry[32];
    int rc = byte_reader_line(m->in, m->text, sizeof m->text, &m->len, err);

    m->line = 1;
    if (rc < 0)
        return rc;
    if (sscanf(m->text, "%%%%MatrixMarket %31s %31s %31s %31s", object,
               layout, field, symmetry) != 4 ||
        ascii_casecmp(object, "matrix"))
        return wrong(d, m, "not a Matrix Market header", err);
    if (ascii_casecmp(layout, "coordinate"))
        return wrong(d, m,
                     "dense matrices are not supported; use coordinate format",
                     err);
    m->pattern = !ascii_casecmp(field, "pattern");
    if (!m->pattern && ascii_casecmp(field, "integer") &&
        ascii_casecmp(field, "real"))
        return wrong(d, m,
                     "this type of value is not supported; use integer, real "
                     "or pattern", err);
    d->report.half = ascii_casecmp(symmetry, "general") != 0;
    return 0;
}

static bool next_number(struct scan *s, uint64_t *v)
{
    scan_blanks(s);
    return scan_u64(s, v);
}

static int read_sizes(struct dump *d, struct market *m, uint64_t *cells,
                      struct cooc_err *err)
{
    struct scan s;
    int rc = next_line(m, err);

    if (rc < 0)
        return rc;
    s = scan_of(m->text, m->len);
    if (rc == 0 || !next_number(&s, &d->report.rows) ||
        !next_number(&s, &d->report.columns) || !next_number(&s, cells))
        return wrong(d, m, "expected the numbers of rows, columns and cells",
                     err);
    return 0;
}

static int read_cell(struct dump *d, struct market *m, struct cooc_err *err)
{
    struct scan s = scan_of(m->text, m->len);
    uint64_t row, column;
    double value = 1;
    bool found = next_number(&s, &row) && next_number(&s, &column);

    scan_blanks(&s);
    if (found && !m->pattern) {
        char *end;

        value = decimal_parse(s.at, &end);
        found = end != s.at;
        s.at = end;
        scan_blanks(&s);
    }
    if (!found)
        return wrong(d, m, "expected row, column and value", err);
    if (s.at != s.end)
        return wrong(d, m, "more than one cell on this line", err);
    if (!row || !column || row > d->report.rows ||
        column > d->report.columns)
        return wrong(d, m, "this cell is outside the matrix", err);
    return dump_cell(d, row, column, value, err);
}

int dump_mtx(struct dump *d, struct byte_reader *in, struct cooc_err *err)
{
    struct market m = { .in = in };
    uint64_t cells = 0;
    int rc;

    d->report.format = "mtx";
    d->report.first = 1;
    rc = read_header(d, &m, err);
    if (rc == 0)
        rc = read_sizes(d, &m, &cells, err);
    if (rc == 0)
        rc = dump_about(d, err);
    while (rc == 0 && (rc = next_line(&m, err)) > 0) {
        if (d->report.cells == cells)
            return wrong(d, &m, "there are more cells than the header says",
                         err);
        rc = read_cell(d, &m, err);
    }
    if (rc == 0 && d->report.cells < cells)
        return wrong(d, &m, "there are fewer cells than the header says", err);
    return rc;
}
