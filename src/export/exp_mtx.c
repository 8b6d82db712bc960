/* exp_mtx.c - Matrix Market: 'row column value' lines, numbered from 1.
 *
 * A symmetric matrix is written as its lower triangle and marked symmetric in
 * the header, so readers expand it.  A directed measure is written in full as
 * general, and so is the triangle of --triangle.
 */
#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"
#include "cooc_export.h"
#include "export/export.h"

#define ROW_NUMBER 16u /* a row number and a blank */
#define LINE_MAX_BYTES (3u * DECIMAL_REAL)

static int begin(struct export_job *j, struct cooc_err *err)
{
    bool general = j->symmetric || j->o->shape == COOC_SHAPE_TRIANGLE;
    int rc = sink_printf(&j->main, err,
                         "%%%%MatrixMarket matrix coordinate %s %s\n",
                         j->sel.plain_count ? "integer" : "real",
                         general ? "general" : "symmetric");

    if (rc == 0)
        rc = export_write_notes(j, &j->main, "% ", "\n", err);
    if (rc == 0)
        rc = sink_printf(&j->main, err,
                         "%" PRIu32 " %" PRIu32 " %" PRIu64 "\n", j->sel.n,
                         j->sel.n, j->entries);
    return rc == 0 ? export_terms(j, &j->side, err) : rc;
}

static int format_row(void *self, const struct export_row *row,
                      struct output *to, struct cooc_err *err)
{
    char row_number[ROW_NUMBER] = "";
    size_t len = decimal_u64(row_number, (uint64_t)row->id + 1);

    (void)self;
    row_number[len++] = ' ';
    for (size_t i = 0; i < row->n; i++) {
        int rc = output_left(to, 0) < LINE_MAX_BYTES ? output_pass(to, err)
                                                     : 0;
        char *p = to->p[0];

        if (rc < 0)
            return rc;
        memcpy(p, row_number, sizeof row_number); /* faster than len bytes */
        p += len;
        p += decimal_u64(p, (uint64_t)row->entries[i].term + 1);
        *p++ = ' ';
        p += row->scores ? decimal_real(p, row->scores[i])
                         : decimal_u64(p, row->entries[i].count);
        *p++ = '\n';
        to->p[0] = p;
    }
    return 0;
}

const struct exporter export_mtx = {
    .name = "mtx", .summary = "a Matrix Market file, with its terms",
    .flags = EXPORT_COUNTED | EXPORT_EITHER | EXPORT_FROM_ROW |
             EXPORT_HALF,
    .file = "matrix.mtx", .side = "matrix.mtx.terms.txt",
    .ending = "", .side_ending = ".terms.txt",
    .begin = begin, .format = format_row, .streams = 1,
};
