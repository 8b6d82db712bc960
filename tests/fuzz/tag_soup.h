/* tag_soup.h - pages with known text.
 *
 * The input bytes choose pieces that are put together to a page: tags in any
 * order, comments, scripts, text after </html>, as in real and hostile pages.
 * Pieces contain words w0a, w1a, ..., and for each word it is known whether a
 * browser shows it; the reader must agree.  Words contain markup and characters
 * that do not end a word.
 *
 * Likewise for the encoding: a page with valid and invalid declarations.
 */
#ifndef COOC_TAG_SOUP_H
#define COOC_TAG_SOUP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SOUP_WORDS 256
#define SOUP_SIZE ((size_t)1 << 17)
#define SOUP_PICK(s, list) (list)[soup_take(s, sizeof(list) / sizeof *(list))]

struct soup {
    const uint8_t *p; /* the remaining choices */
    size_t n;
    char page[SOUP_SIZE];
    size_t len;
    unsigned words;
    bool shown[SOUP_WORDS];
};

/* A number below limit, which is at most 256; 0 after the last choice. */
static inline size_t soup_take(struct soup *s, size_t limit)
{
    if (!s->n)
        return 0;
    s->n--;
    return *s->p++ % limit;
}

static inline void soup_add(struct soup *s, const char *text, size_t n)
{
    if (n > SOUP_SIZE - s->len)
        n = SOUP_SIZE - s->len;
    memcpy(s->page + s->len, text, n);
    s->len += n;
}

static inline void soup_put(struct soup *s, const char *text)
{
    soup_add(s, text, strlen(text));
}

/* The place of a word, which decides what it may contain. */
enum soup_place { IN_MARKUP, IN_TITLE, IN_LITERAL };

static inline void soup_word(struct soup *s, enum soup_place place, bool shown)
{
    static const char *const vanish[] = {
        "",      "",         "<wbr>", "</b>",       "<i>",       "<!---->",
        "<!-->", "<!-- x-->", "<dfn title='>'>",    "</a x='b'>", "<wbr/>",
        "&shy;", "&#173;",   "&shy",  "\xc2\xad",   "&#xAD;",
    };
    char digits[12];

    if (s->words == SOUP_WORDS)
        return;
    snprintf(digits, sizeof digits, "%u", s->words);
    soup_put(s, " w");
    if (place == IN_MARKUP)
        soup_put(s, SOUP_PICK(s, vanish));
    else if (place == IN_TITLE)
        soup_put(s, vanish[11 + soup_take(s, 5)]);
    if (place == IN_MARKUP && soup_take(s, 16) == 15)
        soup_add(s, "", 1); /* a zero byte */
    soup_put(s, digits);
    soup_put(s, "a ");
    s->shown[s->words++] = shown;
}

static inline void soup_attributes(struct soup *s)
{
    static const char *const odd[] = {
        " x=1",  " checked", " y = 'a>b'",   " z=\"<p>\"",    "/",
        " a=b/", " =q",      "\n",           " on='</html>'", " t=\"<!--\"",
    };

    while (soup_take(s, 3) == 2) {
        if (soup_take(s, 4) == 3) {
            soup_put(s, " title='>");
            soup_word(s, IN_LITERAL, false);
            soup_put(s, "'");
        } else
            soup_put(s, SOUP_PICK(s, odd));
    }
}

static inline void soup_tag(struct soup *s)
{
    static const char *const names[] = {
        "html",   "HTML",     "head",  "body",   "Body",  "p",      "b",
        "div",    "table",    "tr",    "td",     "form",  "select", "option",
        "svg",    "math",     "frameset", "frame", "li",  "a",      "x-y",
        "object", "pre",      "br",    "button", "meta",  "link",   "h1",
        "nobr",   "listing",  "ruby",  "image",  "input", "col",    "caption",
    };
    bool closing = soup_take(s, 2);

    soup_put(s, closing ? "</" : "<");
    soup_put(s, SOUP_PICK(s, names));
    soup_attributes(s);
    soup_put(s, " >");
}

static inline void soup_comment(struct soup *s)
{
    static const char *const begin[] = { "<!--", "<!-- <script>", "<!--</html>",
                                         "<!-- -- > <!--" };
    static const char *const end[] = { "-->", "--!>", "--->", "-- -->" };

    soup_put(s, SOUP_PICK(s, begin));
    soup_word(s, IN_LITERAL, false);
    soup_put(s, SOUP_PICK(s, end));
}

static inline void soup_hidden(struct soup *s)
{
    static const char *const around[][2] = {
        { "<script>", "</script>" },
        { "<SCRIPT type='>'>", "</scripty></Script >" },
        { "<script><!--", "</script\n>" },
        { "<script><!-- <script>", "</script> --></script>" },
        { "<script><!-- <script></script>", "</script x='>'>" },
        { "<script><!--><!--->", "</script/>" },
        { "<style>", "</style>" },
        { "<style><!--", "</style></ style>" },
        { "<template><p>", "<td></template>" },
        { "<template><template>", "</template><b></template>" },
        { "<?php", "?>" },
        { "<!DOCTYPE html", ">" },
        { "</ ", ">" },
        { "<!ENTITY", ">" },
    };
    size_t i = soup_take(s, sizeof around / sizeof around[0]);

    soup_put(s, around[i][0]);
    soup_word(s, IN_LITERAL, false);
    soup_put(s, around[i][1]);
}

/* Elements in which tags are text. */
static inline void soup_literal(struct soup *s)
{
    static const char *const names[] = { "title", "TextArea", "xmp" };
    static const char *const odd[] = { "", "<!--", "<p title='", "</titles>",
                                       "<script>", "</ xmp>", "</html>" };
    size_t i = soup_take(s, 3);
    enum soup_place place = i == 2 ? IN_LITERAL : IN_TITLE;

    soup_put(s, "<");
    soup_put(s, names[i]);
    soup_put(s, ">");
    soup_word(s, place, true);
    soup_put(s, SOUP_PICK(s, odd));
    soup_word(s, place, true);
    soup_put(s, "</");
    soup_put(s, names[i]);
    soup_put(s, ">");
}

/* Fallback content for browsers without a feature. */
static inline void soup_fallback(struct soup *s)
{
    static const char *const names[] = { "noscript", "NOFRAMES", "iframe",
                                         "noembed" };
    static const char *const open[] = { "", "<!--", "<script>", "<p title='" };
    const char *name = SOUP_PICK(s, names);
    size_t i = soup_take(s, 4);

    soup_put(s, "<");
    soup_put(s, name);
    soup_attributes(s);
    soup_put(s, " >");
    soup_word(s, IN_MARKUP, true);
    soup_put(s, open[i]);
    soup_word(s, IN_LITERAL, i == 0);
    soup_put(s, "</");
    soup_put(s, name);
    soup_put(s, ">");
}

static inline void soup_odds(struct soup *s)
{
    static const char *const odds[] = {
        "a < b",    "<",      "&",         "&#",      "&#x",   "&bogus;",
        "]]>",      "-->",    "</>",       "<1>",     "<>",    "</script>",
        "&#xd800;", "&#0;",   "</title>",  "</html>", "&lt;!--", "<script/>",
        "<style />", "<title/>", "&#99999999999;", "</template>", "\xff",
    };

    soup_put(s, SOUP_PICK(s, odds));
    soup_put(s, " ");
}

/* The end of the page, perhaps with open elements. */
static inline void soup_end(struct soup *s)
{
    static const char *const hide[] = { "<!--", "<script>", "<style>", "<p x='",
                                        "<template>", "<script><!--<script>",
                                        "<!--<!-- >" };
    size_t i = soup_take(s, 10);

    if (i < sizeof hide / sizeof hide[0]) {
        soup_put(s, hide[i]);
        soup_word(s, IN_LITERAL, false);
    } else if (i == 7) {
        soup_put(s, "<plaintext><!--");
        soup_word(s, IN_LITERAL, true);
        soup_put(s, "</plaintext></html>");
        soup_word(s, IN_LITERAL, true);
    }
}

static inline void soup_page(struct soup *s, const uint8_t *data, size_t n)
{
    s->p = data;
    s->n = n;
    s->len = 0;
    s->words = 0;
    while (s->n && s->words < SOUP_WORDS - 8 && s->len < SOUP_SIZE - 8192) {
        switch (soup_take(s, 16)) {
        case 0:
        case 1:
        case 2:
        case 3:
            soup_word(s, IN_MARKUP, true);
            break;
        case 4:
            soup_comment(s);
            break;
        case 5:
            soup_hidden(s);
            break;
        case 6:
            soup_literal(s);
            break;
        case 7:
            soup_fallback(s);
            break;
        case 8:
            soup_odds(s);
            break;
        case 9:
            soup_put(s, "<![CDATA[ <!-- ");
            soup_word(s, IN_LITERAL, true);
            soup_put(s, "]]>");
            break;
        case 10:
            if (soup_take(s, 16) == 15)
                for (int i = 0; i < 700; i++)
                    soup_put(s, "<div>");
            break;
        default:
            soup_tag(s);
        }
    }
    soup_end(s);
}

/* Whether text contains word i as a word. */
static inline bool soup_has(const char *text, size_t len, unsigned i)
{
    char word[16];
    size_t n = (size_t)snprintf(word, sizeof word, " w%ua ", i);
    const char *p = len ? memmem(text, len, word + 1, n - 2) : NULL;

    for (; p; p = memmem(p + 1, (size_t)(text + len - p) - 1, word + 1, n - 2))
        if ((p == text || !strchr("wa0123456789", p[-1])) &&
            (p + n - 2 == text + len || !strchr("wa0123456789", p[n - 2])))
            return true;
    return false;
}

/* ---- character encodings ---- */

/* Encodings that may be given from outside, for example by HTTP. */
static const char *const soup_said[] = {
    NULL, NULL, NULL, "windows-1251", "no-such-thing", "", "iso-8859-7",
};

/* Declarations that must be ignored. */
static const char *const soup_lies[] = {
    "<!-- <meta charset=iso-8859-5> -->",
    "<p title='<meta charset=iso-8859-5>'>",
    "<p title=\"<meta charset='iso-8859-5'>\">",
    "<script>'<meta charset=iso-8859-5>'</script>",
    "<script><!--<script><meta charset=iso-8859-5></script></script>",
    "<style><meta charset=iso-8859-5></style>",
    "<title><meta charset=iso-8859-5></title>",
    "<xmp><meta charset=iso-8859-5></xmp>",
    "<meta name=x content='text/html; charset=iso-8859-5'>",
    "<meta http-equiv=refresh content='charset=iso-8859-5'>",
    "<meta http-equiv=content-type content='charset iso-8859-5'>",
    "<meta x='charset=iso-8859-5'>",
    "<meta http-equiv=content-type content='charset=\"iso-8859-5'>",
    "<metas charset=iso-8859-5>",
    "</meta charset=iso-8859-5>",
    "<meta charset=no-such-thing>",
    "<meta charset=ibm037>",
    "<meta charset>",
    "<meta charset='' charset=iso-8859-5>",
    "charset=iso-8859-5",
    " <?xml version='1.0' encoding='iso-8859-5'?>",
    "< meta charset=iso-8859-5>",
    "<html><head>",
};

/* Declarations that are valid. */
static const char *const soup_truths[] = {
    "<meta charset=koi8-r>",
    "<META\nCHARSET = \" KOI8-R \" >",
    "<meta/charset='koi8-r'/>",
    "<meta charset=koi8-r charset=iso-8859-5>",
    "<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>",
    "<meta http-equiv='content-type' content='charset = \"koi8-r\"'>",
    "<meta http-equiv=content-type content='x;charset=koi8-r;y'>",
    "<meta content='charset charset=koi8-r' http-equiv=content-type>",
    "<body></html><meta charset=koi8-r>",
    "<p title='>'><meta name=a charset=koi8-r>",
};

/* Write a page to s->page and the encoding given from outside to *said; return
 * the expected encoding, and the length of the byte order mark in *skip. */
static inline const char *soup_charset(struct soup *s, const uint8_t *data,
                                       size_t n, const char **said,
                                       size_t *skip)
{
    bool mark, told = false, valid, xml;
    char filler[5000];
    size_t i;

    s->p = data;
    s->n = n;
    s->len = 0;
    mark = soup_take(s, 4) == 3;
    *skip = mark ? 3 : 0;
    *said = SOUP_PICK(s, soup_said);
    if (mark)
        soup_put(s, "\xef\xbb\xbf");
    xml = soup_take(s, 8) == 7;
    if (xml)
        soup_put(s, "<?xml version=\"1.0\" encoding='koi8-r'?>");
    for (i = soup_take(s, 8); i; i--)
        soup_put(s, SOUP_PICK(s, soup_lies));
    if (soup_take(s, 4) == 3) { /* is not counted as distance */
        memset(filler, '-', sizeof filler);
        soup_put(s, "<!-- <meta charset=iso-8859-5>");
        soup_add(s, filler, sizeof filler);
        soup_put(s, ">");
    }
    if (soup_take(s, 3)) {
        told = true;
        soup_put(s, SOUP_PICK(s, soup_truths));
        soup_put(s, "<meta charset=iso-8859-5>");
    }
    valid = soup_take(s, 2);
    soup_put(s, valid ? "\xc3\xa9" : "\xe9");
    if (mark)
        return "UTF-8";
    if (*said && **said && strcmp(*said, "no-such-thing") != 0)
        return *said;
    if (told || xml)
        return "koi8-r";
    return valid ? "UTF-8" : "windows-1252";
}

#endif
