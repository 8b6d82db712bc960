/* html_reference.h - character references of HTML: &eacute; &#233; &#xe9; */
#ifndef COOC_HTML_REFERENCE_H
#define COOC_HTML_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#define HTML_REFERENCE_MAX 8 /* bytes of UTF-8 per reference */

/* The reference at p, which is an '&'.  Returns its length and puts the
 * *n bytes that it means into out; 0 if the '&' is only an '&'. */
size_t html_reference(const char *p, const char *end,
                      char out[HTML_REFERENCE_MAX], size_t *n);

struct html_name {
    char name[32];
    char text[7]; /* UTF-8 */
    bool old;     /* the semicolon may be missing */
};

/* The names, sorted: see scripts/html-names. */
extern const struct html_name html_names[];
extern const size_t html_names_count;

#endif
