/* csv.h - the rows of a table in a text file: RFC 4180, with any delimiter.
 *
 *     id,text
 *     1,"a, ""quoted"" field
 *     of two lines"
 *
 * A field that begins with a quotation mark ends at the next single one; it may
 * contain delimiters, line ends (as '\n') and doubled quotation marks, which
 * stand for one.  In any other field, quotation marks are ordinary characters.
 * Blank lines are skipped.
 */
#ifndef COOC_CSV_H
#define COOC_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct input;

struct csv_field {
    const char *at; /* lives until the next row */
    size_t len;
    bool doubled; /* it contains doubled quotation marks */
};

/* An all-zero struct is ready for use. */
struct csv {
    char delimiter; /* 0: csv_guess() from the first line */
    bool no_quotes; /* quotation marks are ordinary characters everywhere */
    struct csv_field *fields; /* of the current row */
    size_t n, cap;
    uint64_t line;  /* where the row begins */
    struct buf row; /* a row of several lines */
};

/* 1: the next row of the entry; 0: no more rows; < 0: failed.  A malformed row
 * is COOC_EFORMAT and can be skipped: the next call continues after it. */
int csv_next(struct csv *c, struct input *in, struct cooc_err *err);

/* The text of field i, which lives until the next call or row.  Doubled
 * quotation marks are removed in out. */
int csv_text(const struct csv *c, size_t i, struct buf *out, const char **text,
             size_t *len, struct cooc_err *err);

/* The delimiter that line[0..len) seems to have: the most frequent one of
 * comma, semicolon and TAB outside quotation marks; comma if there is none. */
char csv_guess(const char *line, size_t len);

void csv_release(struct csv *c);

#endif
