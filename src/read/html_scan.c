/* html_scan.c - the part of the HTML standard's tokeniser that text needs.
 *
 *     <p>a < b<!-- c --><script>d</script>   ->  <p>  "a "  "<"  " b"
 *                                                <script>  </script>
 *
 * No tree is built: for text it does not matter which element is open, except
 * for the few elements in which '<' is not markup.  They end at their end tag;
 * if the end tag is missing, they end
 *
 *     script, style,         at the end of the page, as in a browser;
 *     textarea, xmp
 *     title                  at once: what follows is read as markup, although
 *                            a browser takes the rest of the page as title.
 *
 * Not every browser shows the contents of iframe, noembed, noframes and
 * noscript.  They are read as markup, but a comment in them does not extend
 * past the end tag.  <script/> is empty as in XHTML, so that no text is lost.
 * For the same reason <![CDATA[...]]> is text.
 *
 * Linear time: a search that found no end tag is not repeated (none[]).
 */
#include "read/html_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii_case.h"

#define NAME 12 /* longer names are unknown */

static const struct named {
    char name[NAME]; /* must be first, for by_name() */
    enum html_element element;
} named[] = {
    /* sorted */
    { "a", HTML_INLINE },          { "abbr", HTML_INLINE },
    { "acronym", HTML_INLINE },    { "b", HTML_INLINE },
    { "bdi", HTML_INLINE },        { "bdo", HTML_INLINE },
    { "big", HTML_INLINE },        { "blink", HTML_INLINE },
    { "cite", HTML_INLINE },       { "code", HTML_INLINE },
    { "data", HTML_INLINE },       { "del", HTML_INLINE },
    { "dfn", HTML_INLINE },        { "em", HTML_INLINE },
    { "font", HTML_INLINE },       { "i", HTML_INLINE },
    { "iframe", HTML_FALLBACK },   { "ins", HTML_INLINE },
    { "kbd", HTML_INLINE },        { "label", HTML_INLINE },
    { "mark", HTML_INLINE },       { "meta", HTML_META },
    { "nobr", HTML_INLINE },       { "noembed", HTML_FALLBACK },
    { "noframes", HTML_FALLBACK }, { "noscript", HTML_FALLBACK },
    { "plaintext", HTML_PLAINTEXT }, { "q", HTML_INLINE },
    { "s", HTML_INLINE },          { "samp", HTML_INLINE },
    { "script", HTML_SCRIPT },     { "small", HTML_INLINE },
    { "span", HTML_INLINE },       { "strike", HTML_INLINE },
    { "strong", HTML_INLINE },     { "style", HTML_STYLE },
    { "sub", HTML_INLINE },        { "sup", HTML_INLINE },
    { "template", HTML_TEMPLATE }, { "textarea", HTML_TEXTAREA },
    { "time", HTML_INLINE },       { "title", HTML_TITLE },
    { "tt", HTML_INLINE },         { "u", HTML_INLINE },
    { "var", HTML_INLINE },        { "wbr", HTML_INLINE },
    { "xmp", HTML_XMP },
};
#define NAMED ((int)(sizeof named / sizeof named[0]))
_Static_assert(NAMED <= HTML_NAMED, "HTML_NAMED is too small");

static int by_name(const void *key, const void *item)
{
    return memcmp(key, item, NAME);
}

/* The index of an element in named[], or -1. */
static int find_name(const char *name, size_t len)
{
    char key[NAME] = "";
    const struct named *found;

    if (len >= NAME)
        return -1;
    for (size_t i = 0; i < len; i++)
        key[i] = (char)ascii_lower(name[i]);
    found = bsearch(key, named, NAMED, sizeof *named, by_name);
    return found ? (int)(found - named) : -1;
}

void html_scan_init(struct html_scan *s, const char *page, size_t len)
{
    *s = (struct html_scan){ .at = page, .end = page + len, .raw = -1 };
    s->last = s->end;
}

/* ---- tags ---- */

bool html_attribute(const char **at, const char *end, struct html_attribute *a)
{
    const char *p = *at, *q;

    while (p < end && (html_is_space(*p) || *p == '/'))
        p++;
    *at = p;
    if (p == end || *p == '>')
        return false;
    a->name = p++; /* a name may begin with '=' */
    while (p < end && !html_is_space(*p) && *p != '/' && *p != '>' && *p != '=')
        p++;
    a->name_len = (size_t)(p - a->name);
    a->value = "";
    a->value_len = 0;
    while (p < end && html_is_space(*p))
        p++;
    if (p < end && *p == '=') {
        for (p++; p < end && html_is_space(*p);)
            p++;
        a->value = q = p;
        if (p < end && (*p == '"' || *p == '\'')) {
            a->value++;
            q = memchr(p + 1, *p, (size_t)(end - p) - 1);
            p = q ? q + 1 : end;
            q = q ? q : end;
        } else {
            while (p < end && !html_is_space(*p) && *p != '>')
                p++;
            q = p;
        }
        a->value_len = (size_t)(q - a->value);
    }
    *at = p;
    return true;
}

/* Read the tag at s->at, which has its name at name; false if the page ends
 * inside the tag, which browsers then drop. */
static bool scan_tag(struct html_scan *s, const char *name,
                     struct html_token *t)
{
    const char *p = name, *before;
    struct html_attribute a;
    int known;

    while (p < s->end && !html_is_space(*p) && *p != '/' && *p != '>')
        p++;
    known = find_name(name, (size_t)(p - name));
    t->kind = name[-1] == '/' ? HTML_END : HTML_START;
    t->element = known < 0 ? HTML_OTHER : named[known].element;
    t->attributes = before = p;
    while (html_attribute(&p, s->end, &a))
        before = p;
    t->is_empty = p > before && p[-1] == '/';
    t->text = s->at;
    s->at = p;
    if (p == s->end)
        return false;
    s->at++;
    t->len = (size_t)(s->at - t->text);
    if (t->kind == HTML_START && !t->is_empty && t->element >= HTML_SCRIPT)
        s->raw = known;
    return true;
}

/* ---- what is neither tag nor text ---- */

/* The position after the comment at p, or end if the comment is not closed. */
static const char *comment_end(const char *p, const char *end)
{
    p += 4;
    if (p < end && *p == '>')
        return p + 1; /* <!--> */
    if (end - p > 1 && p[0] == '-' && p[1] == '>')
        return p + 2; /* <!---> */
    while ((p = memmem(p, (size_t)(end - p), "--", 2)) != NULL) {
        if (end - p > 2 && p[2] == '>')
            return p + 3;
        if (end - p > 3 && p[2] == '!' && p[3] == '>')
            return p + 4;
        p++;
    }
    return end;
}

static bool begins(const char *p, const char *end, const char *what)
{
    size_t n = strlen(what);

    return (size_t)(end - p) >= n && memcmp(p, what, n) == 0;
}

static const char *after_gt(const char *p, const char *end)
{
    p = memchr(p, '>', (size_t)(end - p));
    return p ? p + 1 : end;
}

static bool literal(struct html_scan *s, const char *end, struct html_token *t)
{
    t->kind = HTML_LITERAL;
    t->text = s->at;
    t->len = (size_t)(end - s->at);
    s->at = end;
    return t->len > 0;
}

static bool scan_cdata(struct html_scan *s, struct html_token *t)
{
    const char *p = s->at + 9, *q = NULL;

    if (!s->no_cdata || s->no_cdata < s->end)
        q = memmem(p, (size_t)(s->end - p), "]]>", 3);
    if (!q) {
        s->no_cdata = s->end;
        s->at = p; /* not closed: ends like a declaration, but is shown */
        return literal(s, after_gt(p, s->end), t);
    }
    t->kind = HTML_LITERAL;
    t->text = p;
    t->len = (size_t)(q - p);
    s->at = q + 3;
    return true;
}

/* Read what begins with the '<' at s->at; true if it is a token. */
static bool scan_markup(struct html_scan *s, struct html_token *t)
{
    const char *p = s->at, *end = s->end;
    char next = end - p > 1 ? p[1] : '\0';

    if (ascii_is_letter(next))
        return scan_tag(s, p + 1, t);
    if (next == '/' && end - p > 2 && ascii_is_letter(p[2]))
        return scan_tag(s, p + 2, t);
    if (begins(p, end, "<![CDATA["))
        return scan_cdata(s, t);
    if (begins(p, end, "<!--"))
        s->at = comment_end(p, end);
    else if (next == '!' || next == '?' || (next == '/' && end - p > 2))
        s->at = after_gt(p, end);
    else
        return literal(s, p + 1, t); /* a < b */
    return false;
}

/* ---- elements in which '<' is not markup ---- */

/* Is p at a complete "<name" or "</name"?  what[0..n) is the part after the
 * '<'. */
static bool is_tag(const char *p, const char *end, const char *what, size_t n)
{
    return (size_t)(end - p) > n + 1 && *p == '<' &&
           ascii_ncasecmp(p + 1, what, n) == 0 &&
           (html_is_space(p[n + 1]) || p[n + 1] == '/' || p[n + 1] == '>');
}

/* Find the end tag of an element; NULL if there is none. */
static const char *find_end(struct html_scan *s, int element)
{
    char what[NAME + 1] = "/";
    size_t n;
    const char *p = s->at;

    if (s->none[element] && s->none[element] >= s->end)
        return NULL;
    strncat(what, named[element].name, NAME);
    n = strlen(what);
    for (; (p = memchr(p, '<', (size_t)(s->end - p))) != NULL; p++)
        if (is_tag(p, s->end, what, n))
            return p;
    s->none[element] = s->end;
    return NULL;
}

/* Find the end of a script.  A script that hides itself from old browsers in a
 * comment may contain the word <script>; then the next </script> does not end
 * it. */
static const char *script_end(const char *p, const char *end)
{
    enum { PLAIN, COMMENT, WRITTEN } state = PLAIN;

    for (; p < end; p++) {
        if (state == PLAIN && !(p = memchr(p, '<', (size_t)(end - p))))
            return end;
        if (state != PLAIN && begins(p, end, "-->"))
            state = PLAIN;
        else if (is_tag(p, end, "/script", 7)) {
            if (state != WRITTEN)
                return p;
            state = COMMENT;
        } else if (state == COMMENT && is_tag(p, end, "script", 6))
            state = WRITTEN;
        else if (state == PLAIN && begins(p, end, "<!--")) {
            state = COMMENT;
            p++; /* the dashes of "<!--" may also end the comment */
        }
    }
    return end;
}

/* Read the contents of the element that has just begun; true if they are a
 * token. */
static bool scan_raw(struct html_scan *s, struct html_token *t)
{
    int element = s->raw;
    const char *end;

    s->raw = -1;
    switch (named[element].element) {
    case HTML_SCRIPT:
        s->at = script_end(s->at, s->end);
        return false;
    case HTML_STYLE:
        end = find_end(s, element);
        s->at = end ? end : s->end;
        return false;
    case HTML_XMP:
        end = find_end(s, element);
        return literal(s, end ? end : s->end, t);
    case HTML_PLAINTEXT:
        return literal(s, s->end, t);
    case HTML_TITLE:
    case HTML_TEXTAREA:
        end = find_end(s, element);
        if (!end && named[element].element == HTML_TITLE)
            return false;
        if (!literal(s, end ? end : s->end, t))
            return false;
        t->kind = HTML_TEXT;
        return true;
    default: /* HTML_FALLBACK; a nested one is plain markup */
        end = s->end == s->last ? find_end(s, element) : NULL;
        s->end = end ? end : s->end;
        return false;
    }
}

bool html_scan_next(struct html_scan *s, struct html_token *t)
{
    for (;;) {
        const char *p;

        if (s->raw >= 0) {
            if (scan_raw(s, t))
                return true;
        } else if (s->at == s->end) {
            if (s->end == s->last)
                return false;
            s->end = s->last;
        } else if (*s->at == '<') {
            if (scan_markup(s, t))
                return true;
        } else {
            p = memchr(s->at, '<', (size_t)(s->end - s->at));
            literal(s, p ? p : s->end, t);
            t->kind = HTML_TEXT;
            return true;
        }
    }
}
