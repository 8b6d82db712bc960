/* list_lines.h - the lines of a list that a user wrote.
 *
 * Empty lines and comments are passed over; so are a byte order mark at the
 * beginning and the '\r' of a Windows line end.  A comment is a '#' alone or
 * with a blank or tab after it: "#metoo" is a word.
 */
#ifndef COOC_LIST_LINES_H
#define COOC_LIST_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii_case.h"

struct text_list {
    const char *name; /* for messages: the file's path */
    const char *text; /* NULL: no list */
    size_t len;
};

struct list_line {
    const char *text;
    size_t len;
    unsigned long number; /* from 1; 0 before the first call */
    size_t next;          /* where the next line begins */
};

/* Is there a word in the line? */
static inline bool list_says(const char *line, size_t len)
{
    bool comment = len && *line == '#' && (len == 1 || ascii_space(line[1]));

    ascii_trim(&line, &len, ASCII_SPACE);
    return len && !comment;
}

/* The length of the byte order mark at the beginning of the text; 0 if there
 * is none. */
static inline size_t list_mark(const char *text, size_t len)
{
    return len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* The next line with a word; an all-zero *line is before the first. */
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
