/* display.h - escape terms and names for each output form.
 *
 * A term may contain any bytes.  Terminals get only printable characters; TSV
 * escapes characters that would end a line or a field; JSON is always valid.
 */
#ifndef COOC_ASK_DISPLAY_H
#define COOC_ASK_DISPLAY_H

#include <stddef.h>
#include <stdio.h>

/* Print s[0..len) for a terminal: control characters, characters that change
 * the direction of text, and invalid UTF-8 become U+FFFD. */
void display_terminal(FILE *to, const char *s, size_t len);

/* The number of terminal columns that display_terminal() fills. */
size_t display_width(const char *s, size_t len);

/* Print text, wrapped into lines shorter than width columns that are indented
 * by indent columns; at is the current column.  DISPLAY_NO_BREAK is a
 * non-breaking space. */
#define DISPLAY_NO_BREAK '\037'
void display_wrap(FILE *to, const char *text, size_t at, size_t indent,
                  size_t width);

/* The width of the terminal at fd in columns, or 80 if it is unknown. */
size_t terminal_width(int fd);

/* Print s[0..len) for TSV: tab, newline, carriage return, NUL and backslash
 * become \t \n \r \0 \\. */
void display_tsv(FILE *to, const char *s, size_t len);

/* Print a quoted JSON string; invalid UTF-8 becomes U+FFFD. */
void display_json(FILE *to, const char *s, size_t len);

#endif
