/* html_text.h - extract the text of a page, and find its encoding. */
#ifndef COOC_HTML_TEXT_H
#define COOC_HTML_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

#define HTML_CHARSET_MAX 60

/* What is known about the encoding of a page; all zero: nothing. */
struct html_hints {
    const char *said;  /* by HTTP or by the user */
    const char *other; /* the encoding of a page that is not UTF-8, if neither
                        * said nor declared; NULL: guess it */
    const char *fallback; /* if it cannot be guessed; NULL: windows-1252 */
};

/* Append the text of html[0..len) to out, as UTF-8.
 *
 * ends: where paragraphs end in out is appended to it, as struct text_end
 * (read.h), if it is not NULL; the end of the text is not included.
 * hints: NULL: nothing is known.
 * guessed: is set to the encoding if it was guessed or is hints->other,
 * otherwise to ""; may be NULL.
 * Invalid bytes become U+FFFD, and their number is added to *invalid.
 * Threads: any.
 */
int html_text(const char *html, size_t len, const struct html_hints *hints,
              struct buf *out, struct buf *ends, uint64_t *invalid,
              char guessed[HTML_CHARSET_MAX], struct cooc_err *err);

/* Set name to ICU's name for the encoding of html[0..len), and *skip to the
 * length of its byte order mark.  The first source that applies decides:
 *
 *     a byte order mark;
 *     hints->said, unless it is NULL or not known to ICU;
 *     what the page declares, by <?xml encoding="x"?> at its very beginning
 *     or the first <meta> with an encoding that ICU knows;
 *     UTF-8 if all bytes are valid;
 *     hints->other, or else a guess (encoding.h); *guessed is set to whether
 *     this is not UTF-8.
 *
 * Errors     COOC_ENOMEM only.
 */
int html_charset(const char *html, size_t len, const struct html_hints *hints,
                 char name[HTML_CHARSET_MAX], size_t *skip, bool *guessed,
                 struct cooc_err *err);

/* Set name to the encoding that <?xml encoding="x"?> at the very beginning of
 * xml[0..len) declares, or to "" if there is none. */
void html_xml_encoding(const char *xml, size_t len,
                       char name[HTML_CHARSET_MAX]);

#endif
