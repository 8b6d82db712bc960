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

#include "token/token.h"

struct list_line {
    const char *text;
    size_t len;
    unsigned long number; /* from 1; 0 before the first call */
    size_t next;          /* where the next line begins */
};

static inline bool list_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Cut blanks off both ends. */
static inline void list_trim(const char **text, size_t *len)
{
    for (; *len && list_blank(**text); ++*text)
        --*len;
    while (*len && list_blank((*text)[*len - 1]))
        --*len;
}

static inline bool list_comment(const char *line, size_t len)
{
    return len && *line == '#' && (len == 1 || list_blank(line[1]));
}

/* The next line that says something; an all-zero *line is before it. */
static inline bool list_next(const struct text_list *list,
                             struct list_line *line)
{
    if (!line->number && list->len >= 3 &&
        !memcmp(list->text, "\xef\xbb\xbf", 3))
        line->next = 3;
    while (line->next < list->len) {
        const char *from = list->text + line->next, *rest = from;
        const char *nl = memchr(from, '\n', list->len - line->next);
        size_t len = nl ? (size_t)(nl - from) : list->len - line->next;

        line->number++;
        line->next += len + 1;
        if (len && from[len - 1] == '\r')
            len--;
        line->text = from;
        line->len = len;
        list_trim(&rest, &len);
        if (len && !list_comment(from, line->len))
            return true;
    }
    return false;
}

#endif
