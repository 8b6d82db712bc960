/* label.h - a term as a format wants it.
 *
 * A term may hold any bytes.  Whatever they are, the file stays well-formed.
 */
#ifndef COOC_LABEL_H
#define COOC_LABEL_H

#include <stddef.h>

struct buf;
struct cooc_err;

enum label {
    LABEL_TSV,   /* tab, newline, return, NUL, backslash as \t \n \r \0 \\ */
    LABEL_CSV,   /* RFC 4180: in quotes if it must be; NUL is U+FFFD */
    LABEL_JSON,  /* a string in its quotes */
    LABEL_XML,   /* for text and attributes; what XML 1.0 cannot hold is
                  * U+FFFD, white space but the blank a reference */
    LABEL_QUOTED, /* in quotes, for Pajek, whose readers differ on escapes: a
                   * quote inside is ', a backslash /, control characters are
                   * blanks */
    LABEL_PLAIN, /* for tables without escapes: tabs and control characters
                  * are blanks */
};

/* Append the label; invalid UTF-8 becomes U+FFFD except in TSV and CSV.  No
 * label contains a NUL byte. */
int label_add(struct buf *to, enum label kind, const char *s, size_t len,
              struct cooc_err *err);

#endif
