/* html_text.c - HTML to text, by libxml2's SAX parser; no tree is built.
 *
 * The page is made valid UTF-8 first, so that libxml2, which changes its
 * mind about encodings half-way, has nothing left to guess.  Then:
 *
 *     <p>Two<br>words, <b>high</b>lighted</p>  ->  Two\nwords, highlighted\n
 *
 * Inline elements vanish without a trace; every other tag ends a word and
 * becomes a line break.  What script, style and template hold is no text.
 */
#include "read/html_text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "read/recode.h"

#define PRESCAN 4096 /* bytes in which a <meta> is looked for */
#define CHARSET_MAX 40
#define PIECE ((size_t)16 << 10) /* bytes given to libxml2 at once */
#define DEPTH_MAX 512 /* open elements; see parse() */

/* ---- the encoding ---- */

/* Find key = value in tag[0..len), the value quoted or not. */
static bool find_value(const char *tag, size_t len, const char *key,
                       char out[CHARSET_MAX])
{
    size_t n = strlen(key), i, used = 0;

    for (i = 0; i + n < len; i++)
        if (ascii_ncasecmp(tag + i, key, n) == 0)
            break;
    if (i + n >= len)
        return false;
    i += n;
    while (i < len && strchr(" \t\r\n", tag[i]) && tag[i])
        i++;
    if (i == len || tag[i++] != '=')
        return false;
    while (i < len && strchr(" \t\r\n\"'", tag[i]) && tag[i])
        i++;
    while (i < len && used < CHARSET_MAX - 1 && tag[i] &&
           !strchr(" \t\r\n\"';,/>?", tag[i]))
        out[used++] = tag[i++];
    out[used] = '\0';
    return used > 0;
}

/* What the page itself says: <meta ... charset=x>, <?xml encoding="x"?>. */
static bool declared(const char *html, size_t len, char out[CHARSET_MAX])
{
    if (len > PRESCAN)
        len = PRESCAN;
    for (size_t i = 0; i + 6 < len; i++) {
        const char *end;
        size_t n;

        if (html[i] != '<')
            continue;
        end = memchr(html + i, '>', len - i);
        n = end ? (size_t)(end - html) - i : len - i;
        if (ascii_ncasecmp(html + i, "<meta", 5) == 0 &&
            find_value(html + i, n, "charset", out))
            return true;
        if (ascii_ncasecmp(html + i, "<?xml", 5) == 0 &&
            find_value(html + i, n, "encoding", out))
            return true;
    }
    return false;
}

/* The encoding that browsers use where a page names this one. */
static const char *meant(const char *name)
{
    static const char *const latin[] = { "iso-8859-1", "iso8859-1", "latin1",
                                         "latin-1",    "us-ascii",  "ascii" };

    for (size_t i = 0; i < sizeof latin / sizeof latin[0]; i++)
        if (ascii_casecmp(name, latin[i]) == 0)
            return "windows-1252";
    if (ascii_ncasecmp(name, "utf", 3) == 0)
        return "UTF-8"; /* a <meta> that can be read is not in UTF-16 */
    return encoding_check(name, NULL) == 0 ? name : NULL;
}

/* Append html to out as valid UTF-8. */
static int to_utf8(const char *html, size_t len, const char *charset,
                   struct buf *out, uint64_t *invalid, struct cooc_err *err)
{
    struct recoder *r = NULL;
    char name[CHARSET_MAX];
    size_t mark;
    const char *marked = encoding_mark(html, len, &mark);
    int rc;

    if (charset)
        charset = ascii_ncasecmp(charset, "utf", 3) ? meant(charset) : charset;
    if (marked && (!charset || ascii_ncasecmp(charset, "utf", 3) == 0)) {
        charset = marked;
        html += mark;
        len -= mark;
    }
    if (!charset && declared(html, len, name))
        charset = meant(name);
    if (!charset)
        charset = utf8_is_valid(html, len) ? "UTF-8" : "windows-1252";
    if (encoding_is_utf8(charset))
        return utf8_repair(html, len, out, invalid, err);
    rc = recoder_new(&r, charset, invalid, err);
    if (rc == 0)
        rc = recoder_feed(r, html, len, true, out, err);
    recoder_free(r);
    return rc;
}

/* ---- the text ---- */

struct page {
    struct buf *out;
    struct cooc_err *err;
    htmlParserCtxtPtr parser;
    unsigned hidden; /* depth inside elements that hold no text */
    int rc;
};

static int by_name(const void *key, const void *item)
{
    return ascii_casecmp(key, *(const char *const *)item);
}

static bool is_inline(const char *name)
{
    static const char *const names[] = {
        "a",    "abbr", "acronym", "b",    "bdo",   "big",  "cite",
        "code", "del",  "em",      "font", "i",     "ins",  "kbd",
        "mark", "q",    "s",       "samp", "small", "span", "strong",
        "sub",  "sup",  "tt",      "u",    "var",
    };

    return bsearch(name, names, sizeof names / sizeof names[0], sizeof names[0],
                   by_name) != NULL;
}

static bool is_hidden(const char *name)
{
    return ascii_casecmp(name, "script") == 0 ||
           ascii_casecmp(name, "style") == 0 ||
           ascii_casecmp(name, "template") == 0;
}

static void add(struct page *p, const char *text, size_t len)
{
    if (p->rc < 0)
        return;
    p->rc = buf_add(p->out, text, len, p->err);
    if (p->rc < 0)
        xmlStopParser(p->parser);
}

static void end_word(struct page *p)
{
    const struct buf *b = p->out;

    if (b->len && b->data[b->len - 1] != '\n')
        add(p, "\n", 1);
}

static void on_start(void *self, const xmlChar *name, const xmlChar **atts)
{
    struct page *p = self;

    (void)atts;
    if (is_hidden((const char *)name))
        p->hidden++;
    if (!is_inline((const char *)name))
        end_word(p);
}

static void on_end(void *self, const xmlChar *name)
{
    struct page *p = self;

    if (p->hidden && is_hidden((const char *)name))
        p->hidden--;
    if (!is_inline((const char *)name))
        end_word(p);
}

static void on_text(void *self, const xmlChar *text, int len)
{
    struct page *p = self;

    if (!p->hidden && len > 0)
        add(p, (const char *)text, (size_t)len);
}

/* libxml2 has something to say about most pages; nobody listens. */
static void on_error(void *self, xmlErrorPtr error)
{
    (void)self;
    (void)error;
}

static int begin_parser(struct page *p)
{
    xmlSAXHandler sax = { .initialized = XML_SAX2_MAGIC,
                          .startElement = on_start,
                          .endElement = on_end,
                          .characters = on_text,
                          .ignorableWhitespace = on_text,
                          .serror = on_error };
    const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
                        HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                        HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC |
                        (int)XML_PARSE_HUGE;

    p->parser = htmlCreatePushParserCtxt(&sax, p, NULL, 0, NULL,
                                         XML_CHAR_ENCODING_UTF8);
    if (!p->parser)
        return err_nomem(p->err);
    htmlCtxtUseOptions(p->parser, options);
    p->hidden = 0;
    return 0;
}

/* The next piece: about PIECE bytes, up to the end of a tag if there is one,
 * so that a page can be cut behind it. */
static size_t piece_of(const char *html, size_t len)
{
    const char *tag;

    if (len <= PIECE)
        return len;
    tag = memrchr(html, '>', PIECE);
    return tag ? (size_t)(tag - html) + 1 : PIECE;
}

/* libxml2 looks through all open elements at every end tag, so a page that
 * never closes any would take quadratic time.  No page that is meant to be
 * read is that deep: behind DEPTH_MAX it goes on as a new page. */
static int parse(struct page *p, const char *html, size_t len)
{
    int bad = 0, rc = begin_parser(p);

    while (rc == 0 && len && p->rc == 0 && bad != XML_ERR_NO_MEMORY) {
        size_t n = piece_of(html, len);
        bool cut = n == len || p->parser->nameNr > DEPTH_MAX;

        bad = htmlParseChunk(p->parser, html, (int)n, cut);
        html += n;
        len -= n;
        if (cut && len) {
            htmlFreeParserCtxt(p->parser);
            rc = begin_parser(p);
        }
    }
    htmlFreeParserCtxt(p->parser);
    if (rc == 0 && p->rc == 0 && bad == XML_ERR_NO_MEMORY)
        p->rc = err_nomem(p->err);
    return rc < 0 ? rc : p->rc;
}

int html_text(const char *html, size_t len, const char *charset,
              struct buf *out, uint64_t *invalid, struct cooc_err *err)
{
    struct page p = { .out = out, .err = err };
    struct buf clean = { 0 };
    int rc = to_utf8(html, len, charset, &clean, invalid, err);

    if (rc == 0 && clean.len) {
        for (size_t i = 0; i < clean.len; i++)
            if (clean.data[i] == '\0')
                clean.data[i] = ' '; /* it would end the page */
        rc = parse(&p, clean.data, clean.len);
    }
    buf_release(&clean);
    return rc;
}
