/* html_text.c - extract text from HTML.
 *
 *     <p>Two<br>words, <b>high</b>lighted</p>  ->  Two\nwords, highlighted\n
 *
 * Inline elements are removed without a trace; every other tag ends a word and
 * becomes a line break.  The contents of script, style and template are not
 * text.  Soft hyphens and NUL bytes are removed, as in a browser, so that they
 * do not split words.
 */
#include "read/html_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "read/html_reference.h"
#include "read/html_scan.h"
#include "read/recode.h"

/* U+00AD in UTF-8. */
#define SOFT_HYPHEN "\xc2\xad"

/* The first byte at or after p that needs treatment: '&', U+00AD or NUL. */
static const char *special(const char *p, const char *end, bool references)
{
    for (; p < end; p++)
        if (*p == '\0' || (*p == '&' && references) ||
            (*p == SOFT_HYPHEN[0] && end - p > 1 && p[1] == SOFT_HYPHEN[1]))
            break;
    return p;
}

static int add_text(struct buf *out, const char *p, size_t len, bool references,
                    struct cooc_err *err)
{
    const char *end = p + len;
    int rc = 0;

    while (p < end && rc == 0) {
        const char *q = special(p, end, references);
        char text[HTML_REFERENCE_MAX];
        size_t n = 0, used = 1;

        rc = buf_add(out, p, (size_t)(q - p), err);
        if (q == end || rc < 0)
            break;
        if (*q == '&') {
            used = html_reference(q, end, text, &n);
            if (used && n == 2 && memcmp(text, SOFT_HYPHEN, 2) == 0)
                n = 0;
            rc = used ? buf_add(out, text, n, err) : buf_byte(out, '&', err);
            used = used ? used : 1;
        } else if (*q)
            used = 2; /* a soft hyphen */
        p = q + used;
    }
    return rc;
}

static int end_word(struct buf *out, struct cooc_err *err)
{
    if (out->len && out->data[out->len - 1] != '\n')
        return buf_byte(out, '\n', err);
    return 0;
}

/* Append the text of a page in UTF-8. */
static int add_page(struct buf *out, const char *html, size_t len,
                    struct cooc_err *err)
{
    size_t hidden = 0; /* depth inside templates */
    struct html_scan s;
    struct html_token t;
    int rc = 0;

    html_scan_init(&s, html, len);
    while (rc == 0 && html_scan_next(&s, &t)) {
        if (t.kind == HTML_TEXT || t.kind == HTML_LITERAL) {
            if (!hidden)
                rc = add_text(out, t.text, t.len, t.kind == HTML_TEXT, err);
            continue;
        }
        if (t.element == HTML_TEMPLATE && t.kind == HTML_START)
            hidden += !t.is_empty;
        else if (t.element == HTML_TEMPLATE && hidden)
            hidden--;
        if (t.element != HTML_INLINE)
            rc = end_word(out, err);
    }
    return rc < 0 ? rc : end_word(out, err);
}

int html_text(const char *html, size_t len, const char *charset,
              struct buf *out, uint64_t *invalid, struct cooc_err *err)
{
    char name[HTML_CHARSET_MAX];
    struct buf clean = { 0 };
    size_t skip;
    int rc;

    if (len == 0)
        return 0;
    rc = html_charset(html, len, charset, name, &skip, err);
    if (rc < 0)
        return rc;
    html += skip;
    len -= skip;
    if (encoding_is_utf8(name) && utf8_is_valid(html, len))
        return add_page(out, html, len, err);
    if (encoding_is_utf8(name))
        rc = utf8_repair(html, len, &clean, invalid, err);
    else
        rc = recode(name, html, len, true, &clean, invalid, err);
    if (rc == 0 && clean.len)
        rc = add_page(out, clean.data, clean.len, err);
    buf_release(&clean);
    return rc;
}
