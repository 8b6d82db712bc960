/* trec_text.c - extract the text of a document in loose SGML.
 *
 * Everything is text, except for the elements that describe the document
 * (skipped[]); with --text-field, only the named elements are text.  Of a page
 * after </DOCHDR>, nothing is skipped.  The parts that are text are collected
 * with their markup, which html_text() removes.
 *
 * If fields are split into terms, the contents of each named element are a
 * value.  An element inside it, as <D> in <TOPICS><D>tea</D><D>milk</D>, is a
 * value of its own; a line end is white space.
 */
#include "read/trec_text.h"

#include <stdint.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "read/html_scan.h"
#include "read/html_text.h"
#include "read/input.h"

#define NO_FIELD SIZE_MAX

/* The contents of an element: parts[from..to). */
struct trec_value {
    size_t field, from, to;
};

const char *trec_tag(const char *p, const char *end, const char *name)
{
    size_t n = strlen(name);

    for (; p < end; p++) {
        p = memchr(p, '<', (size_t)(end - p));
        if (!p || (size_t)(end - p) <= n)
            return NULL;
        if (ascii_ncasecmp(p, name, n) == 0 && memchr("> \t\r\n/", p[n], 6))
            return p;
    }
    return NULL;
}

const char *trec_tag_end(const char *p, const char *end)
{
    const char *gt = memchr(p, '>', (size_t)(end - p));

    return gt ? gt + 1 : end;
}

/* The part of parts that begins at from is a value.  Line ends in it become
 * white space, so that afterwards only tags end lines. */
static int note_value(struct trec_text *s, size_t from, struct cooc_err *err)
{
    struct trec_value v = { s->field, from, s->parts.len };
    char *p = s->parts.data + from;

    while ((p = memchr(p, '\n', (size_t)(s->parts.data + v.to - p))) != NULL)
        *p++ = ' ';
    return buf_add(&s->values, &v, sizeof v, err);
}

static int add_part(struct trec_text *s, const char *p, const char *end,
                    struct cooc_err *err)
{
    size_t from = s->parts.len;
    int rc;

    if (p == end)
        return 0;
    rc = buf_add(&s->parts, p, (size_t)(end - p), err);
    if (rc == 0)
        rc = buf_byte(&s->parts, '\n', err);
    return rc < 0 || !s->split ? rc : note_value(s, from, err);
}

/* Does the tag t have the name name[0..n)? */
static bool has_name(const struct html_token *t, const char *name, size_t n)
{
    const char *p = t->text + 1 + (t->kind == HTML_END);

    return (size_t)(t->attributes - p) == n && !ascii_ncasecmp(p, name, n);
}

/* Elements that describe the document and contain no text. */
static const char *const skipped[] = {
    "docno", "docid", "docoldno", "dochdr", "fileid", "doctype", "date", "page",
};
#define SKIPPED (sizeof skipped / sizeof skipped[0])

/* If the tag t begins an element of skipped[], return the position after that
 * element, otherwise NULL.  An element without an end tag ends before the next
 * tag.  none[i] is set if no end tag of skipped[i] follows. */
static const char *pass_over(const struct html_token *t, const char *end,
                             bool none[SKIPPED])
{
    const char *p = t->text + t->len, *q = NULL;
    char closing[16] = "</";
    size_t i = 0;

    while (i < SKIPPED && !has_name(t, skipped[i], strlen(skipped[i])))
        i++;
    if (i == SKIPPED)
        return NULL;
    if (t->is_empty)
        return p;
    strcat(closing, skipped[i]);
    if (!none[i])
        q = trec_tag(p, end, closing);
    none[i] = !q;
    if (q)
        return trec_tag_end(q, end);
    q = memchr(p, '<', (size_t)(end - p));
    return q ? q : end;
}

/* Newswire: add everything except skipped[].  The tags of a TITLE are dropped
 * here, because the contents of a TITLE are markup in SGML but not in HTML. */
static int add_all(struct trec_text *s, const char *p, const char *end,
                   struct cooc_err *err)
{
    bool none[SKIPPED] = { false };
    struct html_scan scan;
    struct html_token t;
    int rc = 0;

    html_scan_init(&scan, p, (size_t)(end - p));
    while (rc == 0 && html_scan_next(&scan, &t)) {
        const char *after = NULL;

        if (t.kind != HTML_START && t.kind != HTML_END)
            continue;
        if (t.kind == HTML_START)
            after = pass_over(&t, end, none);
        if (!after && t.element == HTML_TITLE)
            after = scan.at;
        if (!after)
            continue;
        rc = add_part(s, p, t.text, err);
        p = after;
        if (p > scan.at) {
            scan.at = p;
            scan.end = scan.last;
        }
    }
    return rc < 0 ? rc : add_part(s, p, end, err);
}

static int offer_name(struct fields *f, const struct html_token *t,
                      struct cooc_err *err)
{
    const char *name = t->text + 1;

    return t->kind == HTML_START && fields_want_names(f)
               ? fields_offer(f, name, (size_t)(t->attributes - name), err)
               : 0;
}

/* Is t a tag of field i?  1, 0, or < 0: failed. */
static int is_field(struct fields *f, size_t i, const struct html_token *t,
                    struct cooc_err *err)
{
    const struct field *field = &f->items[i];
    bool exact = has_name(t, field->name, field->len);
    int rc;

    if (!exact && !has_name(t, field->trimmed, field->trimmed_len))
        return 0;
    rc = fields_saw(f, i, !exact, true, err);
    return rc < 0 ? rc : 1;
}

/* Is t the tag of an element that the user named?  1, 0, or < 0: failed. */
static int is_asked(struct fields *f, const struct html_token *t,
                    struct cooc_err *err)
{
    int rc = offer_name(f, t, err);

    for (size_t i = 0; i < f->n && rc == 0; i++)
        rc = is_field(f, i, t, err);
    return rc;
}

/* ---- values that are split into terms ------------------------------------ */

/* A tag of field i: note where its contents begin, or add them. */
static int take_tag(struct trec_text *s, size_t i, const struct html_token *t,
                    struct cooc_err *err)
{
    const char *from = s->open_fields[i].from;

    if (t->kind == HTML_START) {
        if (s->open_fields[i].depth++ == 0)
            s->open_fields[i].from = t->text + t->len;
        return 0;
    }
    if (!from || --s->open_fields[i].depth)
        return 0;
    s->open_fields[i].from = NULL;
    s->field = i;
    return add_part(s, from, t->text, err);
}

/* Add the contents of the elements that the user named, each as a value. */
static int add_values(struct trec_text *s, struct fields *f, const char *p,
                      const char *end, struct cooc_err *err)
{
    struct html_scan scan;
    struct html_token t;
    int rc = array_grow(&s->open_fields, &s->open_cap, f->n,
                        sizeof *s->open_fields, err);

    if (rc < 0)
        return rc;
    memset(s->open_fields, 0, f->n * sizeof *s->open_fields);
    html_scan_init(&scan, p, (size_t)(end - p));
    while (rc == 0 && html_scan_next(&scan, &t)) {
        if ((t.kind != HTML_START && t.kind != HTML_END) || t.is_empty)
            continue;
        rc = offer_name(f, &t, err);
        for (size_t i = 0; i < f->n && rc == 0; i++) {
            rc = is_field(f, i, &t, err);
            if (rc > 0)
                rc = take_tag(s, i, &t, err);
        }
    }
    for (size_t i = 0; i < f->n && rc == 0; i++)
        if (s->open_fields[i].from) { /* it has no end tag */
            s->field = i;
            rc = add_part(s, s->open_fields[i].from, end, err);
        }
    return rc;
}

/* Make terms of a value, whose tags separate terms. */
static int split_value(struct trec_text *s, struct input *in,
                       const struct trec_value *v,
                       const struct html_hints *hints, struct cooc_err *err)
{
    const struct field all = { 0 };
    const char *p, *end;
    int rc;

    s->line.len = 0;
    rc = html_text(s->parts.data + v->from, v->to - v->from, hints, &s->line,
                   NULL, &in->stats->invalid_bytes, NULL, err);
    p = s->line.data;
    end = s->line.len ? p + s->line.len : p;
    while (rc == 0 && p < end) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));

        if (!eol)
            eol = end;
        rc = input_add_value(
            in, v->field == NO_FIELD ? &all : &in->fields.items[v->field], p,
            (size_t)(eol - p), err);
        p = eol + (eol < end);
    }
    return rc;
}

/* Make terms of all values.  Their encoding is that of all of them together. */
static int split_values(struct trec_text *s, struct input *in,
                        struct cooc_err *err)
{
    struct html_hints hints = { input_charset(in), in->other,
                                in->encoding.fallback };
    const struct trec_value *v = (const void *)s->values.data;
    size_t n = s->values.len / sizeof *v, skip;
    char name[HTML_CHARSET_MAX];
    bool guessed = false;
    int rc = 0;

    if (n)
        rc = html_charset(s->parts.data, s->parts.len, &hints, name, &skip,
                          &guessed, err);
    if (rc == 0 && guessed)
        input_note_encoding(in, name);
    hints.said = name;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = split_value(s, in, &v[i], &hints, err);
    return rc;
}

/* ---- documents ----------------------------------------------------------- */

/* Add the contents of the elements that the user named. */
static int add_asked(struct trec_text *s, struct fields *f, const char *p,
                     const char *end, struct cooc_err *err)
{
    struct html_scan scan;
    struct html_token t;
    size_t depth = 0;
    int rc = 0;

    if (s->split)
        return add_values(s, f, p, end, err);
    html_scan_init(&scan, p, (size_t)(end - p));
    while (rc >= 0 && html_scan_next(&scan, &t)) {
        if ((t.kind != HTML_START && t.kind != HTML_END) || t.is_empty ||
            (rc = is_asked(f, &t, err)) <= 0)
            continue;
        if (t.kind == HTML_START && depth++ == 0)
            p = scan.at;
        else if (t.kind == HTML_END && depth && --depth == 0)
            rc = add_part(s, p, t.text, err);
    }
    return rc >= 0 && depth ? add_part(s, p, end, err) : rc < 0 ? rc : 0;
}

/* Add the text of a document to parts. */
static int add_text(struct trec_text *s, struct fields *asked, const char *p,
                    const char *end, struct cooc_err *err)
{
    const char *header = trec_tag(p, end, "<dochdr"), *page = NULL;
    int rc;

    if (header)
        page = trec_tag(header, end, "</dochdr");
    if (asked)
        rc = add_asked(s, asked, p, page ? header : end, err);
    else
        rc = add_all(s, p, page ? header : end, err);
    if (rc < 0 || !page)
        return rc;
    page = trec_tag_end(page, end);
    return asked ? add_asked(s, asked, page, end, err)
                 : add_part(s, page, end, err);
}

int trec_text(struct trec_text *s, struct input *in, const char *p,
              const char *end, struct cooc_err *err)
{
    struct fields *asked = in->options->text_fields ? &in->fields : NULL;
    int rc;

    s->parts.len = s->values.len = 0;
    s->field = NO_FIELD;
    rc = add_text(s, asked, p, end, err);
    if (rc == 0 && asked)
        rc = fields_record(asked, in->watch, err);
    if (rc < 0)
        return rc;
    return s->split ? split_values(s, in, err)
                    : input_page(in, s->parts.data, s->parts.len,
                                 input_charset(in), err);
}

void trec_text_release(struct trec_text *s)
{
    buf_release(&s->parts);
    buf_release(&s->values);
    buf_release(&s->line);
    mem_free(s->open_fields);
}
