/* fmt_trec.c - TREC and other collections: many documents per file, in loose
 * SGML.
 *
 *     <DOC> <DOCNO> FT911-3 </DOCNO>
 *     <HEADLINE>...</HEADLINE> <TEXT>...</TEXT> </DOC>        newswire
 *
 *     <DOC> <DOCNO>GX000-01</DOCNO>
 *     <DOCHDR> http://... </DOCHDR> <html>...</html> </DOC>   web
 *
 * Neither is XML: tags are in any case, entities are undeclared, the encoding
 * is unknown.  A document is collected line by line up to </DOC>, so only one
 * is in memory.  A second <DOCNO> before </DOC> is an error, so that two
 * documents never become one (a web page may well contain <doc>, but not
 * <docno>).  Everything in a document is text, except for the elements that
 * describe it (skipped[]); with --text-field, only the named elements are text.
 * After </DOCHDR> comes a page, of which nothing is skipped.  Newswire and
 * pages both go through html_text(), which removes tags and comments.
 *
 * The options can name another element than DOC, for example REUTERS, and
 * another id than DOCNO: an element, or an attribute of the record as in
 * @NEWID. Then a second start tag of the record must follow its end tag.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/watch.h"
#include "cooc.h"
#include "read/format.h"
#include "read/html_scan.h"
#include "read/input.h"

#define TAG_MAX 64 /* "</", the name of an element, and a NUL */

struct trec_state {
    char open[TAG_MAX], close[TAG_MAX]; /* "<doc", "</doc": the record */
    char id[TAG_MAX];     /* "<docno", or "": an attribute is the id */
    char single[TAG_MAX]; /* what may occur only once in a record */
    const char *record;   /* its name for messages */
    bool any, any_id;     /* there was a record; some record has an id */
    const char *rest;     /* rest of the current line */
    size_t rest_len;
    struct buf parts; /* the parts of the body that are text */
};

/* Find name, for example "<doc" or "</doc", followed by a character that ends
 * the name of a tag; NULL if it is not in [p, end). */
static const char *find_tag(const char *p, const char *end, const char *name)
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

static size_t count_tags(const char *p, const char *end, const char *name)
{
    size_t n = 0;

    for (; (p = find_tag(p, end, name)) != NULL; p++)
        n++;
    return n;
}

/* The position after the '>' of the tag at p. */
static const char *tag_end(const char *p, const char *end)
{
    const char *gt = memchr(p, '>', (size_t)(end - p));

    return gt ? gt + 1 : end;
}

/* A record contains what may occur only once: the one before is not closed. */
static int not_closed(const struct trec_state *s, struct input *in,
                      uint64_t opened, struct cooc_err *err)
{
    return input_wrong(in, err,
                       "a second <%s>: the <%s> in line %llu is not closed",
                       in->options->record ? s->record : "DOCNO", s->record,
                       (unsigned long long)opened);
}

/* Collect the text between <DOC> and </DOC> in body: 1, or 0 at the end of the
 * entry. */
static int collect(struct trec_state *s, struct input *in, struct cooc_err *err)
{
    uint64_t opened = 0;
    size_t numbers = 0;
    const char *p;
    int rc;

    for (;;) {
        const char *end = s->rest + s->rest_len;

        if (!opened && (p = find_tag(s->rest, end, s->open)) != NULL) {
            opened = in->text.line;
            s->rest = p + strlen(s->open); /* its attributes may hold the id */
        }
        p = opened ? find_tag(s->rest, end, s->close) : NULL;
        if (opened)
            numbers += count_tags(s->rest, p ? p : end, s->single);
        if (numbers > (in->options->record ? 0 : 1))
            return not_closed(s, in, opened, err);
        if (opened) {
            rc = input_add_line(in, s->rest, (size_t)((p ? p : end) - s->rest),
                                err);
            if (rc < 0)
                return rc;
        }
        if (p) {
            s->rest = tag_end(p, end);
            s->rest_len = (size_t)(end - s->rest);
            return 1;
        }
        rc = text_line(&in->text, &s->rest, &s->rest_len, err);
        if (rc == 0)
            s->rest_len = 0;
        if (rc < 0 || (rc == 0 && !opened))
            return rc;
        if (rc == 0)
            return err_line(err, COOC_EFORMAT, in->name, opened,
                            "<%s> is never closed", s->record);
    }
}

/* Find the attribute of the record that is its id; NULL if it has none. */
static const char *id_attribute(const struct input *in, const char *body,
                                size_t *len)
{
    const char *id = in->options->id_field, *p = in->body.data;
    struct html_attribute a;

    while (html_attribute(&p, body, &a))
        if (ascii_is(a.name, a.name_len, id + 1)) {
            *len = a.value_len;
            return a.value;
        }
    return NULL;
}

/* Name the document after its DOCNO, or x in <DOC id="x">, or PATH:N; or after
 * the element or the attribute that the user named. */
static int set_document_name(struct trec_state *s, struct input *in,
                             const char *body, const char *end,
                             struct cooc_err *err)
{
    const char *p = *s->id ? find_tag(body, end, s->id) : NULL, *q = NULL;
    size_t len = 0;

    if (!*s->id) {
        p = id_attribute(in, body, &len);
    } else if (p) {
        p = tag_end(p, end);
        q = memchr(p, '<', (size_t)(end - p));
        len = (size_t)((q ? q : end) - p);
        ascii_trim(&p, &len, " \t\r\n");
    } else if (ascii_begins(in->body.data, in->body.len, " id=\"")) {
        p = in->body.data + 5;
        q = memchr(p, '"', (size_t)(end - p));
        len = q ? (size_t)(q - p) : 0;
    }
    if (!len)
        return input_name(in, in->documents + 1, err);
    s->any_id = true;
    in->doc.name = p;
    in->doc.name_len = len;
    return 0;
}

static int add_part(struct trec_state *s, const char *p, const char *end,
                    struct cooc_err *err)
{
    int rc;

    if (p == end)
        return 0;
    rc = buf_add(&s->parts, p, (size_t)(end - p), err);
    return rc < 0 ? rc : buf_byte(&s->parts, '\n', err);
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
        q = find_tag(p, end, closing);
    none[i] = !q;
    if (q)
        return tag_end(q, end);
    q = memchr(p, '<', (size_t)(end - p));
    return q ? q : end;
}

/* Newswire: add everything except skipped[].  The tags of a TITLE are dropped
 * here, because the contents of a TITLE are markup in SGML but not in HTML. */
static int add_all(struct trec_state *s, const char *p, const char *end,
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

/* Is t the tag of an element that the user named?  1, 0, or < 0: failed. */
static int is_asked(struct fields *f, const struct html_token *t,
                    struct cooc_err *err)
{
    const char *name = t->text + 1;
    int rc = 0;

    if (t->kind == HTML_START && fields_want_names(f))
        rc = fields_offer(f, name, (size_t)(t->attributes - name), err);
    for (size_t i = 0; i < f->n && rc == 0; i++) {
        bool exact = has_name(t, f->items[i].name, f->items[i].len);

        if (exact || has_name(t, f->items[i].trimmed, f->items[i].trimmed_len))
            return (rc = fields_saw(f, i, !exact, true, err)) < 0 ? rc : 1;
    }
    return rc;
}

/* Add the contents of the elements that the user named. */
static int add_asked(struct trec_state *s, struct fields *f, const char *p,
                     const char *end, struct cooc_err *err)
{
    struct html_scan scan;
    struct html_token t;
    size_t depth = 0;
    int rc = 0;

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

/* Add the text of a document to parts.  asked: the elements that the user
 * named, or NULL. */
static int add_text(struct trec_state *s, struct fields *asked, const char *p,
                    const char *end, struct cooc_err *err)
{
    const char *header = find_tag(p, end, "<dochdr"), *page = NULL;
    int rc;

    if (header)
        page = find_tag(header, end, "</dochdr");
    if (asked)
        rc = add_asked(s, asked, p, page ? header : end, err);
    else
        rc = add_all(s, p, page ? header : end, err);
    if (rc < 0 || !page)
        return rc;
    page = tag_end(page, end);
    return asked ? add_asked(s, asked, page, end, err)
                 : add_part(s, page, end, err);
}

static int next_trec(struct input *in, struct cooc_err *err)
{
    struct trec_state *s = in->state;
    struct fields *asked = in->options->text_fields ? &in->fields : NULL;
    const char *body, *end;
    int rc = collect(s, in, err);

    if (rc == 0 && !in->documents && in->text.line)
        return err_path_option(err, COOC_EFORMAT, in->name, "record",
                               "is not a TREC file: it has no <%s>; name the "
                               "element that is a document",
                               s->record);
    if (rc <= 0)
        return rc;
    s->any = true;
    end = in->body.data + in->body.len;
    body = tag_end(in->body.data, end);
    s->parts.len = 0;
    rc = add_text(s, asked, body, end, err);
    if (rc == 0 && asked)
        rc = fields_record(asked, in->watch, err);
    if (rc == 0)
        rc =
            input_page(in, s->parts.data, s->parts.len, input_charset(in), err);
    if (rc == 0)
        rc = set_document_name(s, in, body, end, err);
    return rc < 0 ? rc : 1;
}

/* Set tag to "<name" or "</name". */
static int set_tag(char tag[TAG_MAX], const char *begin, const char *name,
                   const char *option, struct cooc_err *err)
{
    if (!*name || strlen(name) > TAG_MAX - 3 || strpbrk(name, "<>/ \t\r\n"))
        return err_option(err, COOC_EINVAL, option,
                          "'%.80s' is not the name of an SGML element", name);
    strcpy(tag, begin);
    strcat(tag, name);
    return 0;
}

static int begin_trec(struct input *in, struct cooc_err *err)
{
    struct trec_state *s = in->state;
    const struct cooc_index_options *o = in->options;
    const char *id = o->id_field ? o->id_field : "DOCNO";
    int rc;

    s->rest = "";
    s->rest_len = 0;
    s->record = o->record ? o->record : "DOC";
    rc = set_tag(s->open, "<", s->record, "record", err);
    if (rc == 0)
        rc = set_tag(s->close, "</", s->record, "record", err);
    if (rc == 0)
        rc = set_tag(s->id, "<", id + (*id == '@'), "id_field", err);
    if (rc < 0)
        return rc;
    if (*id == '@')
        *s->id = '\0';
    strcpy(s->single, o->record ? s->open : "<docno");
    return in->options->text_fields
               ? fields_begin(&in->fields, in->options->text_fields,
                              in->options->split != NULL, err)
               : 0;
}

static void finish_trec(struct input *in)
{
    const struct trec_state *s = in->state;

    if (in->options->id_field && s->any && !s->any_id)
        watch_warn(in->watch,
                   "no record has the id '%.80s'; documents are named by file "
                   "and number",
                   in->options->id_field);
}

static void release_trec(void *state)
{
    struct trec_state *s = state;

    buf_release(&s->parts);
}

const struct format format_trec = {
    .name = "trec",
    .uses = USE_FIELDS | USE_ID | USE_RECORD | USE_SPLIT,
    .is_page = true,
    .state_size = sizeof(struct trec_state),
    .begin = begin_trec,
    .next = next_trec,
    .finish = finish_trec,
    .release = release_trec,
};
