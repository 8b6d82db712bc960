/* html_reference.h - character references of HTML: &eacute; &#233; &#xe9; */
#ifndef COOC_HTML_REFERENCE_H
#define COOC_HTML_REFERENCE_H

#include <stddef.h>

#define HTML_REFERENCE_MAX 8 /* bytes of UTF-8 per reference */

/* The reference at p, which is an '&'.  Returns its length and puts the
 * *n bytes that it means into out; 0 if the '&' is only an '&'. */
size_t html_reference(const char *p, const char *end,
                      char out[HTML_REFERENCE_MAX], size_t *n);

/* The names, one string per first letter: see html_names.c. */
extern const char *const html_names[52];

#endif
