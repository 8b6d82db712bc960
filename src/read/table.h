/* table.h - documents in the rows of a table (csv.h): which columns are text,
 * which one names the document.
 *
 *     id;title;abstract             text fields title, abstract
 *     7;Tea;"Black; or green"   ->  7: Tea \n Black; or green
 *
 * A column is named as in line 1 or by its number, from 1; if the table has no
 * header, only by its number.  A name that line 1 has is never a number.
 */
#ifndef COOC_TABLE_H
#define COOC_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "read/csv.h"

struct cooc_err;
struct input;

/* An all-zero struct is valid. */
struct table {
    struct csv csv;
    struct buf names;  /* of the columns, one after the other */
    size_t *ends;      /* where each name ends */
    size_t ends_cap;
    bool has_names;
    size_t n_columns;  /* 0: the entry is empty */
    bool ahead;        /* the current row is the first document */
    size_t *texts;     /* column of each text field */
    size_t texts_cap;
    size_t id;         /* column of the name; n_columns: none */
    struct buf value;  /* a value without doubled quotation marks */
};

/* Begin an entry.  c: delimiter (0: to be guessed) and whether there are
 * quotation marks.  Reads the header and looks up the columns that the options
 * name; COOC_EINVAL, with a list of the columns, if there is no such column or
 * no column of text is named. */
int table_begin(struct table *t, struct input *in, char delimiter, bool quotes,
                struct cooc_err *err);

/* 1: a document; 0: the entry has no more rows; < 0: failed. */
int table_next(struct table *t, struct input *in, struct cooc_err *err);

/* Whether one of the lists of the option text_fields is, or contains, the name
 * of a column in the given first line. */
bool table_is_named(const char *text_fields, bool typed, const char *line,
                    size_t len, char delimiter);

void table_release(struct table *t);

#endif
