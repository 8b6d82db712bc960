/* html_text.h - the text of a page, without its markup. */
#ifndef COOC_HTML_TEXT_H
#define COOC_HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* Append to out, as UTF-8, the text of html[0..len).
 *
 * charset: the encoding if it is known from elsewhere, else NULL; a byte
 * order mark is more certain than that (html_charset.h).  Invalid bytes
 * become U+FFFD and are added to *invalid.  Threads: any.
 */
int html_text(const char *html, size_t len, const char *charset,
              struct buf *out, uint64_t *invalid, struct cooc_err *err);

#endif
