/* html_text.h - the text of a page, without its markup, and its encoding. */
#ifndef COOC_HTML_TEXT_H
#define COOC_HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* Append to out, as UTF-8, the text of html[0..len).
 *
 * charset: the encoding if it is known from elsewhere, else NULL; a byte
 * order mark is more certain than that (html_charset()).  Invalid bytes
 * become U+FFFD and are added to *invalid.  Threads: any.
 */
int html_text(const char *html, size_t len, const char *charset,
              struct buf *out, uint64_t *invalid, struct cooc_err *err);

#define HTML_CHARSET_MAX 40

/* Put into name what ICU calls the encoding of html[0..len), and into *skip
 * the length of its byte order mark.  In this order:
 *
 *     a byte order mark;
 *     said, the encoding that is known from elsewhere, unless it is NULL or
 *     not known to ICU;
 *     what the page declares, by <?xml encoding="x"?> at its very beginning
 *     or the first <meta> with an encoding that ICU knows;
 *     UTF-8 if all bytes are valid, else windows-1252.
 *
 * Errors     COOC_ENOMEM only.
 */
int html_charset(const char *html, size_t len, const char *said,
                 char name[HTML_CHARSET_MAX], size_t *skip,
                 struct cooc_err *err);

#endif
