/* html_charset.c - find the encoding of a page, by the HTML standard's rules.
 *
 * A <meta> counts only where a browser sees an element: not in a comment, an
 * attribute, a script or a title.  html_scan.h finds these places, and can read
 * the page before its encoding is known, because every encoding that a <meta>
 * can name writes ASCII as ASCII.  The standard looks at the first 1024 bytes;
 * we look at 4096, without counting comments and scripts.
 */
#include "read/html_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "read/encoding.h"
#include "read/html_scan.h"
#include "read/recode.h"

#define PRESCAN 4096 /* bytes of tags and text to search for a <meta> */

struct label {
    const char *p;
    size_t len;
};

/* ---- what a name means ---- */

/* The encoding that browsers use for a name, where ICU uses a different one,
 * usually with fewer characters. */
static const char *browser_name(const char *name)
{
    static const char *const meant[][2] = {
        { "ascii", "windows-1252" },       { "us-ascii", "windows-1252" },
        { "latin1", "windows-1252" },      { "latin-1", "windows-1252" },
        { "iso-8859-1", "windows-1252" },  { "iso8859-1", "windows-1252" },
        { "iso_8859-1", "windows-1252" },  { "x-user-defined", "windows-1252" },
        { "iso-8859-9", "windows-1254" },  { "latin5", "windows-1254" },
        { "iso-8859-11", "windows-874" },  { "tis-620", "windows-874" },
        { "gb2312", "gb18030" },           { "gb_2312-80", "gb18030" },
        { "gbk", "gb18030" },              { "x-gbk", "gb18030" },
        { "euc-kr", "windows-949" },       { "korean", "windows-949" },
        { "ks_c_5601-1987", "windows-949" }, { "x-x-big5", "big5" },
        { "x-sjis", "shift_jis" },         { "utf-16", "UTF-16LE" },
        { "utf8", "UTF-8" },
    };

    for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++)
        if (ascii_casecmp(name, meant[i][0]) == 0)
            return meant[i][1];
    return name;
}

/* Does the encoding write ASCII as ASCII?  It must, because the page has been
 * read as ASCII so far. */
static int keeps_ascii(const char *name, struct cooc_err *err)
{
    static const char probe[] = "<META charset=\"x-1\">";
    struct buf out = { 0 };
    uint64_t invalid = 0;
    int rc = recode(name, probe, sizeof probe - 1, true, &out, &invalid, err);

    if (rc == 0)
        rc = out.len == sizeof probe - 1 &&
             memcmp(out.data, probe, out.len) == 0;
    buf_release(&out);
    return rc;
}

/* 1: name is set to the encoding that the label means; 0: the label is
 * unknown. */
static int resolve(struct label label, bool in_page,
                   char name[HTML_CHARSET_MAX], struct cooc_err *err)
{
    char text[HTML_CHARSET_MAX];
    const char *meant;
    int rc;

    ascii_trim(&label.p, &label.len, " \n\t\r\f");
    if (!label.len || label.len >= sizeof text ||
        memchr(label.p, '\0', label.len))
        return 0;
    memcpy(text, label.p, label.len);
    text[label.len] = '\0';
    meant = browser_name(text);
    if (in_page && ascii_ncasecmp(meant, "utf", 3) == 0)
        meant = "UTF-8"; /* a <meta> that can be read is not in UTF-16 */
    rc = encoding_check(meant, NULL);
    if (rc == COOC_ENOMEM)
        return err_nomem(err);
    if (rc < 0)
        return 0;
    rc = in_page ? keeps_ascii(meant, err) : 1;
    if (rc == 1)
        snprintf(name, HTML_CHARSET_MAX, "%s", meant);
    return rc;
}

/* ---- what the page declares ---- */

/* The x in "text/html; charset=x". */
static struct label charset_in(const char *p, size_t len)
{
    const char *end = p + len;
    struct label none = { p, 0 }, label;

    for (; end - p > 7; p++) {
        const char *q = p + 7;

        if (ascii_ncasecmp(p, "charset", 7) != 0)
            continue;
        while (q < end && html_is_space(*q))
            q++;
        if (q == end || *q != '=')
            continue;
        for (q++; q < end && html_is_space(*q);)
            q++;
        label = (struct label){ q, 0 };
        if (q < end && (*q == '"' || *q == '\'')) {
            label.p++;
            q = memchr(label.p, *q, (size_t)(end - label.p));
            if (!q)
                return none;
        } else
            while (q < end && !html_is_space(*q) && *q != ';')
                q++;
        label.len = (size_t)(q - label.p);
        return label;
    }
    return none;
}

/* The encoding that a <meta> declares; if an attribute occurs twice, the first
 * counts. */
static struct label meta_label(const struct html_token *t)
{
    const char *p = t->attributes, *end = t->text + t->len;
    struct label charset = { NULL, 0 }, content = { NULL, 0 };
    bool has_pragma = false, is_type = false;
    struct html_attribute a;

    while (html_attribute(&p, end, &a)) {
        if (ascii_is(a.name, a.name_len, "charset") && !charset.p)
            charset = (struct label){ a.value, a.value_len };
        else if (ascii_is(a.name, a.name_len, "content") && !content.p)
            content = charset_in(a.value, a.value_len);
        else if (ascii_is(a.name, a.name_len, "http-equiv") && !has_pragma) {
            has_pragma = true;
            is_type = ascii_is(a.value, a.value_len, "content-type");
        }
    }
    if (charset.p)
        return charset;
    return is_type ? content : (struct label){ NULL, 0 };
}

/* The encoding in <?xml version="1.0" encoding="x"?>. */
static struct label xml_label(const char *html, size_t len)
{
    struct label label = { NULL, 0 };
    const char *p = html + 5, *end;
    struct html_attribute a;

    if (len < 6 || memcmp(html, "<?xml", 5) != 0 || !html_is_space(*p))
        return label;
    end = memchr(p, '>', len - 5);
    end = end ? end : html + len;
    while (html_attribute(&p, end, &a))
        if (ascii_is(a.name, a.name_len, "encoding"))
            return (struct label){ a.value, a.value_len };
    return label;
}

void html_xml_encoding(const char *xml, size_t len, char name[HTML_CHARSET_MAX])
{
    struct label label = xml_label(xml, len);

    if (label.len >= HTML_CHARSET_MAX)
        label.len = 0;
    snprintf(name, HTML_CHARSET_MAX, "%.*s", (int)label.len,
             label.p ? label.p : "");
}

/* 1: name is set to the encoding that the page declares; 0: it declares
 * none. */
static int declared(const char *html, size_t len, char name[HTML_CHARSET_MAX],
                    struct cooc_err *err)
{
    int rc = resolve(xml_label(html, len), true, name, err);
    struct html_token t;
    struct html_scan s;
    size_t seen = 0;

    html_scan_init(&s, html, len);
    while (rc == 0 && seen < PRESCAN && html_scan_next(&s, &t)) {
        if (t.kind == HTML_START && t.element == HTML_META)
            rc = resolve(meta_label(&t), true, name, err);
        seen += t.len;
    }
    return rc;
}

/* Set name to the encoding of a page that does not declare it. */
static int guess(const char *html, size_t len, const struct html_hints *hints,
                 char name[HTML_CHARSET_MAX], struct cooc_err *err)
{
    struct encoding_choice choice;
    struct encoding found = { 0 };
    int rc = encoding_choose(&choice, NULL, err);

    if (hints->fallback)
        choice.fallback = hints->fallback;
    if (rc == 0 && !hints->other)
        rc = encoding_find(&found, &choice, html, len, err);
    if (rc == 0)
        snprintf(name, HTML_CHARSET_MAX, "%s",
                 hints->other ? hints->other : found.name);
    return rc;
}

int html_charset(const char *html, size_t len, const struct html_hints *hints,
                 char name[HTML_CHARSET_MAX], size_t *skip, bool *guessed,
                 struct cooc_err *err)
{
    static const struct html_hints nothing;
    const char *mark = encoding_mark(html, len, skip);
    int rc = 0;

    *guessed = false;
    hints = hints ? hints : &nothing;
    if (mark) {
        snprintf(name, HTML_CHARSET_MAX, "%s", mark);
        return 0;
    }
    if (hints->said)
        rc = resolve((struct label){ hints->said, strlen(hints->said) }, false,
                     name, err);
    if (rc == 0)
        rc = declared(html, len, name, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    if (utf8_is_valid(html, len))
        snprintf(name, HTML_CHARSET_MAX, "UTF-8");
    else
        rc = guess(html, len, hints, name, err);
    *guessed = rc == 0 && !encoding_is_utf8(name);
    return rc;
}
