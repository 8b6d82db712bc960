/* html_text.c - extract text from HTML.
 *
 *     <p>Two<br>words, <b>high</b>lighted</p>  ->  Two\nwords, highlighted\n
 *
 * Inline elements are removed without a trace; every other tag ends a word and
 * becomes a line break; block elements (p, li, td) end a paragraph, too.  The
 * contents of script, style and template are not text.  Soft hyphens and NUL
 * bytes are removed, as in a browser, so that they do not split words.
 */
#include "read/html_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "read/html_reference.h"
#include "read/html_scan.h"
#include "read/read.h"
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

/* ---- paragraphs ---------------------------------------------------------- */

static int by_name(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

/* Does the tag begin or end a block?  Other elements may break a line, but they
 * are inside a paragraph: <br>, <img>. */
static bool is_block(const struct html_token *t)
{
    static const char *const blocks[] = {
        "address",  "article", "aside",    "blockquote", "body",   "caption",
        "center",   "dd",      "details",  "dialog",     "dir",    "div",
        "dl",       "dt",      "fieldset", "figcaption", "figure", "footer",
        "form",     "h1",      "h2",       "h3",         "h4",     "h5",
        "h6",       "header",  "hgroup",   "hr",         "html",   "legend",
        "li",       "listing", "main",     "menu",       "nav",    "ol",
        "optgroup", "option",  "p",        "plaintext",  "pre",    "search",
        "section",  "summary", "table",    "tbody",      "td",     "tfoot",
        "th",       "thead",   "title",    "tr",         "ul",     "xmp",
    };
    const char *name = t->text + 1 + (t->kind == HTML_END);
    size_t len = (size_t)(t->attributes - name);
    char key[12];

    if (len >= sizeof key)
        return false;
    for (size_t i = 0; i < len; i++)
        key[i] = (char)ascii_lower(name[i]);
    key[len] = '\0';
    return bsearch(key, blocks, sizeof blocks / sizeof *blocks, sizeof *blocks,
                   by_name) != NULL;
}

/* A paragraph ends at the end of out, unless out is empty or the paragraph
 * is. */
static int end_paragraph(struct buf *ends, const struct buf *out,
                         struct cooc_err *err)
{
    struct text_end end = { .at = out->len & INT64_MAX, .paragraph = true };
    const struct text_end *last = (const void *)ends->data;

    if (!out->len)
        return 0;
    if (ends->len && last[ends->len / sizeof end - 1].at == end.at)
        return 0;
    return buf_add(ends, &end, sizeof end, err);
}

/* Remove the end of the text. */
static void drop_last_end(struct buf *ends, const struct buf *out)
{
    const struct text_end *last = (const void *)ends->data;
    size_t n = ends->len / sizeof *last;

    if (n && last[n - 1].at == out->len)
        ends->len -= sizeof *last;
}

/* Append the text of a page in UTF-8. */
static int add_page(struct buf *out, struct buf *ends, const char *html,
                    size_t len, struct cooc_err *err)
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
        if (ends && rc == 0 && is_block(&t))
            rc = end_paragraph(ends, out, err);
    }
    if (rc == 0)
        rc = end_word(out, err);
    if (ends && rc == 0)
        drop_last_end(ends, out);
    return rc;
}

int html_text(const char *html, size_t len, const struct html_hints *hints,
              struct buf *out, struct buf *ends, uint64_t *invalid,
              char guessed[HTML_CHARSET_MAX], struct cooc_err *err)
{
    char name[HTML_CHARSET_MAX];
    struct buf clean = { 0 };
    bool is_guess;
    size_t skip;
    int rc;

    if (guessed)
        *guessed = '\0';
    if (len == 0)
        return 0;
    rc = html_charset(html, len, hints, name, &skip, &is_guess, err);
    if (rc < 0)
        return rc;
    if (guessed && is_guess)
        memcpy(guessed, name, sizeof name);
    html += skip;
    len -= skip;
    if (encoding_is_utf8(name) && utf8_is_valid(html, len))
        return add_page(out, ends, html, len, err);
    if (encoding_is_utf8(name))
        rc = utf8_repair(html, len, &clean, invalid, err);
    else
        rc = recode(name, html, len, true, &clean, invalid, err);
    if (rc == 0 && clean.len)
        rc = add_page(out, ends, clean.data, clean.len, err);
    buf_release(&clean);
    return rc;
}
