/* office_text.c - the text of docx and odt files, as HTML.
 *
 *     <w:p><w:r><w:t>Tea &amp; milk</w:t></w:r></w:p>    docx
 *     <text:p>Tea <text:span>&amp; milk</text:span></text:p>    odt
 *     ->  <p>Tea &amp; milk</p>
 *
 * In docx, text is in <w:t>, and some characters are elements of their own; in
 * odt, everything in a paragraph is text, except for some elements.  A text box
 * is in a docx file twice, the second time as a Fallback for old programs.
 */
#include <stdint.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/office.h"
#include "read/xml_parser.h"

struct office_text {
    struct xml_parser *parser;
    enum office_kind kind;
    struct buf *out;
    const char *const *path; /* names of the open elements */
    size_t skip; /* depth in an element that is skipped, from 1; 0: none */
    size_t text; /* the same for an element with text */
};

/* What an element means. */
enum role {
    ROLE_NONE,
    ROLE_PARAGRAPH,
    ROLE_TEXT,
    ROLE_SPACE,
    ROLE_BREAK,
    ROLE_HYPHEN, /* one at which lines are not broken */
    ROLE_SOFT_HYPHEN,
    ROLE_SYMBOL,
    ROLE_SKIP
};

static enum role role_of(enum office_kind kind, const char *name)
{
    static const struct {
        const char *name;
        enum role docx, odt;
    } roles[] = {
        { "p", ROLE_PARAGRAPH, ROLE_PARAGRAPH },
        { "h", ROLE_NONE, ROLE_PARAGRAPH },
        { "t", ROLE_TEXT, ROLE_NONE },
        { "tab", ROLE_SPACE, ROLE_SPACE },
        { "ptab", ROLE_SPACE, ROLE_NONE },
        { "s", ROLE_NONE, ROLE_SPACE },
        { "br", ROLE_BREAK, ROLE_NONE },
        { "cr", ROLE_BREAK, ROLE_NONE },
        { "line-break", ROLE_NONE, ROLE_BREAK },
        { "noBreakHyphen", ROLE_HYPHEN, ROLE_NONE },
        { "softHyphen", ROLE_SOFT_HYPHEN, ROLE_NONE },
        { "sym", ROLE_SYMBOL, ROLE_NONE },
        { "Fallback", ROLE_SKIP, ROLE_NONE },
        { "annotation", ROLE_NONE, ROLE_SKIP },
        { "tracked-changes", ROLE_NONE, ROLE_SKIP },
        { "note-citation", ROLE_NONE, ROLE_SKIP },
    };

    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(name, roles[i].name) == 0)
            return kind == OFFICE_DOCX ? roles[i].docx : roles[i].odt;
    return ROLE_NONE;
}

static int add(struct office_text *t, const char *html, struct cooc_err *err)
{
    return buf_add(t->out, html, strlen(html), err);
}

/* Add the character of <w:sym w:font="x" w:char="2192"/>.  A private character,
 * whose meaning depends on the font, is only a gap between words. */
static int add_symbol(struct office_text *t, const struct xml_element *e,
                      struct cooc_err *err)
{
    size_t len = 0;
    const char *hex = xml_attribute(e, "char", 4, &len);
    uint32_t c = 0;

    for (size_t i = 0; i < len && i < 6; i++)
        c = ascii_hex(hex[i]) < 0 ? 0 : c * 16 + (uint32_t)ascii_hex(hex[i]);
    if (c < ' ' || (c >= 0xe000 && c < 0xf900))
        return add(t, " ", err);
    return buf_printf(t->out, err, "&#%u;", (unsigned)c);
}

static int start(void *self, const struct xml_element *e, struct cooc_err *err)
{
    struct office_text *t = self;

    t->path = e->path;
    if (t->skip)
        return 0;
    switch (role_of(t->kind, e->path[e->depth])) {
    case ROLE_SKIP:
        t->skip = e->depth + 1;
        return 0;
    case ROLE_PARAGRAPH:
        if (t->kind == OFFICE_ODT && !t->text)
            t->text = e->depth + 1;
        return add(t, "<p>", err);
    case ROLE_TEXT:
        if (!t->text)
            t->text = e->depth + 1;
        return 0;
    case ROLE_SPACE:
        return add(t, " ", err);
    case ROLE_BREAK:
        return add(t, "<br>", err);
    case ROLE_HYPHEN:
        return add(t, "&#x2011;", err);
    case ROLE_SOFT_HYPHEN:
        return add(t, "&shy;", err);
    case ROLE_SYMBOL:
        return add_symbol(t, e, err);
    case ROLE_NONE:
        break;
    }
    return 0;
}

/* A paragraph may contain others, in text boxes and notes. */
static int end(void *self, size_t depth, struct cooc_err *err)
{
    struct office_text *t = self;
    bool skipped = t->skip;

    if (t->skip == depth + 1)
        t->skip = 0;
    if (t->text == depth + 1)
        t->text = 0;
    if (skipped || role_of(t->kind, t->path[depth]) != ROLE_PARAGRAPH)
        return 0;
    return add(t, "</p>", err);
}

static int text(void *self, const char *text, size_t len, struct cooc_err *err)
{
    struct office_text *t = self;
    const char *end = text + len, *p = text;
    int rc = 0;

    if (!t->text || t->skip)
        return 0;
    for (; p < end && rc == 0; p++) {
        if (*p != '<' && *p != '&')
            continue;
        rc = buf_add(t->out, text, (size_t)(p - text), err);
        if (rc == 0)
            rc = add(t, *p == '<' ? "&lt;" : "&amp;", err);
        text = p + 1;
    }
    return rc < 0 ? rc : buf_add(t->out, text, (size_t)(end - text), err);
}

static const struct xml_handler handler = { start, end, text };

int office_text_new(struct office_text **out, enum office_kind kind,
                    const char *name, uint64_t *invalid, struct cooc_err *err)
{
    struct office_text *t = *out = mem_zarray(1, sizeof *t);
    int rc;

    if (!t)
        return err_nomem(err);
    t->kind = kind;
    rc = xml_parser_new(&t->parser, name, &handler, t, invalid, err);
    if (rc < 0) {
        office_text_free(t);
        *out = NULL;
    }
    return rc;
}

#define SLICE ((size_t)16 << 10) /* bytes that are parsed at a time */

int office_text_feed(struct office_text *t, const char *data, size_t len,
                     bool last, struct buf *out, struct cooc_err *err)
{
    int rc = 0;

    t->out = out;
    while (len > SLICE && rc == 0) {
        rc = xml_parser_feed(t->parser, data, SLICE, false, err);
        data += SLICE;
        len -= SLICE;
    }
    return rc < 0 ? rc : xml_parser_feed(t->parser, data, len, last, err);
}

void office_text_free(struct office_text *t)
{
    if (!t)
        return;
    xml_parser_free(t->parser);
    mem_free(t);
}
