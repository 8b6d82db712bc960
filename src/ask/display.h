/* display.h - terms and names on their way out.
 *
 * A term may hold any bytes.  To a terminal go only printable characters;
 * TSV escapes what would break a line or a field; JSON is always valid.
 */
#ifndef COOC_ASK_DISPLAY_H
#define COOC_ASK_DISPLAY_H

#include <stddef.h>
#include <stdio.h>

/* Control and direction-changing characters become U+FFFD. */
void display_terminal(FILE *to, const char *s, size_t len);

/* The columns that display_terminal() fills. */
size_t display_width(const char *s, size_t len);

/* Print words in lines of at most width columns that begin at column indent;
 * at is where the cursor is.  A line is not broken at DISPLAY_NO_BREAK, which
 * is printed as a blank. */
#define DISPLAY_NO_BREAK '\037'
void display_wrap(FILE *to, const char *text, size_t at, size_t indent,
                  size_t width);

/* The columns of the terminal at fd; 80 if it does not say. */
size_t terminal_width(int fd);

/* Tab, newline, return, NUL and backslash become \t \n \r \0 \\. */
void display_tsv(FILE *to, const char *s, size_t len);

/* A JSON string in its quotes; what is no UTF-8 becomes U+FFFD. */
void display_json(FILE *to, const char *s, size_t len);

#endif
