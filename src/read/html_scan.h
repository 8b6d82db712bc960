/* html_scan.h - iterate over the tags and the text of a page.
 *
 * Follows the tokenisation rules of the HTML standard, so text is what a
 * browser takes for text, however the tags are nested.  Works on any encoding
 * in which ASCII bytes mean ASCII.  Allocates nothing; the time is linear in
 * the length of the page.
 */
#ifndef COOC_HTML_SCAN_H
#define COOC_HTML_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum html_kind {
    HTML_TEXT,    /* text with character references */
    HTML_LITERAL, /* text without references: '&' is '&' */
    HTML_START,   /* <name ...> */
    HTML_END,     /* </name> */
};

/* Elements that need special treatment. */
enum html_element {
    HTML_OTHER,
    HTML_INLINE,   /* does not end a word: <b>, <wbr> */
    HTML_META,     /* may declare the encoding */
    HTML_TEMPLATE, /* its contents are not text */
    HTML_SCRIPT,   /* this and all below: contents are not plain markup */
    HTML_STYLE,
    HTML_TITLE, /* title and textarea: references, but no tags */
    HTML_TEXTAREA,
    HTML_XMP,
    HTML_PLAINTEXT, /* has no end tag */
    HTML_FALLBACK,  /* alternative contents: iframe, noscript, ... */
};

struct html_token {
    enum html_kind kind;
    const char *text; /* the text, or the tag from its '<' on */
    size_t len;
    enum html_element element; /* element of a tag */
    const char *attributes;    /* attributes of a tag, for html_attribute() */
    bool is_empty;             /* a tag that ends in "/>" */
};

#define HTML_NAMED 64 /* at least the number of known element names */

struct html_scan {
    const char *at, *end;
    const char *last; /* end of the page; end may be before it */
    int raw;          /* index of the element that has just begun, or -1 */
    const char *none[HTML_NAMED]; /* no end tag of element i before none[i] */
    const char *no_cdata;         /* no "]]>" before this position */
};

void html_scan_init(struct html_scan *s, const char *page, size_t len);

/* The next tag or piece of text; false at the end of the page.  Comments,
 * declarations and the contents of script and style are skipped. */
bool html_scan_next(struct html_scan *s, struct html_token *t);

static inline bool html_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

struct html_attribute {
    const char *name, *value;
    size_t name_len, value_len;
};

/* The next attribute at or after *p; false at the end of the tag, and then *p
 * is at its '>' or at end. */
bool html_attribute(const char **p, const char *end, struct html_attribute *a);

#endif
