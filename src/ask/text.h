/* text.h - terms and names on their way out.
 *
 * A term may hold any bytes.  To a terminal go only printable characters;
 * TSV escapes what would break a line or a field; JSON is always valid.
 */
#ifndef COOC_ASK_TEXT_H
#define COOC_ASK_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Control and direction-changing characters become U+FFFD. */
void text_terminal(FILE *to, const char *s, size_t len);

/* The columns that text_terminal() fills. */
size_t text_columns(const char *s, size_t len);

/* Print words in lines of at most width columns that begin at column indent;
 * at is where the cursor is.  A line is not broken at TEXT_GLUE, which is
 * printed as a blank. */
#define TEXT_GLUE '\037'
void text_wrap(FILE *to, const char *text, size_t at, size_t indent,
               size_t width);

/* The columns of the terminal at fd; 80 if it does not say. */
size_t terminal_width(int fd);

/* Tab, newline, return, NUL and backslash become \t \n \r \0 \\. */
void text_tsv(FILE *to, const char *s, size_t len);

/* A JSON string in its quotes; what is no UTF-8 becomes U+FFFD. */
void text_json(FILE *to, const char *s, size_t len);

#endif
