/* html_text.h - extract the text of a page, and find its encoding. */
#ifndef COOC_HTML_TEXT_H
#define COOC_HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* Append the text of html[0..len) to out, as UTF-8.
 *
 * ends: where paragraphs end in out is appended to it, as struct text_end
 * (read.h), if it is not NULL; the end of the text is not included.
 * charset: the encoding if it is known from elsewhere, otherwise NULL; a byte
 * order mark overrides it (html_charset()).  Invalid bytes become U+FFFD, and
 * their number is added to *invalid.  Threads: any.
 */
int html_text(const char *html, size_t len, const char *charset,
              struct buf *out, struct buf *ends, uint64_t *invalid,
              struct cooc_err *err);

#define HTML_CHARSET_MAX 40

/* Set name to ICU's name for the encoding of html[0..len), and *skip to the
 * length of its byte order mark.  The first source that applies decides:
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

/* Set name to the encoding that <?xml encoding="x"?> at the very beginning of
 * xml[0..len) declares, or to "" if there is none. */
void html_xml_encoding(const char *xml, size_t len,
                       char name[HTML_CHARSET_MAX]);

#endif
