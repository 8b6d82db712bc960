/* list_lines.h - iterate over the lines of a word list that a user wrote.
 *
 * Skipped are empty lines, comments, a byte order mark at the beginning, and
 * the '\r' of Windows line ends.  A comment is a line that begins with '#'
 * followed by white space or nothing: "#metoo" is a word.
 *
 *     struct list_line line = { 0 };
 *
 *     while (list_next(&list, &line))
 *         use(line.text, line.len, line.number);
 */
#ifndef COOC_LIST_LINES_H
#define COOC_LIST_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii_case.h"

struct text_list {
    const char *name; /* path of the file, for messages */
    const char *text; /* NULL if there is no list */
    size_t len;
};

struct list_line {
    const char *text;
    size_t len;
    unsigned long number; /* line number from 1; 0 before the first call */
    size_t next;          /* offset of the next line */
};

/* Whether the line contains a word. */
static inline bool list_says(const char *line, size_t len)
{
    bool comment = len && *line == '#' && (len == 1 || ascii_space(line[1]));

    ascii_trim(&line, &len, ASCII_SPACE);
    return len && !comment;
}

/* The length of the byte order mark at the beginning of the text, or 0. */
static inline size_t list_mark(const char *text, size_t len)
{
    return len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* Advance to the next line that contains a word; false after the last one.
 * Begin with an all-zero *line. */
static inline bool list_next(const struct text_list *list,
                             struct list_line *line)
{
    if (!line->number)
        line->next = list_mark(list->text, list->len);
    while (line->next < list->len) {
        const char *from = list->text + line->next;
        const char *nl = memchr(from, '\n', list->len - line->next);
        size_t len = nl ? (size_t)(nl - from) : list->len - line->next;

        line->number++;
        line->next += len + 1;
        line->text = from;
        line->len = len - (len && from[len - 1] == '\r');
        if (list_says(from, line->len))
            return true;
    }
    return false;
}

#endif
