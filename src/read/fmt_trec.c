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
#include "read/trec_text.h"

#define TAG_MAX 64 /* "</", the name of an element, and a NUL */

struct trec_state {
    char open[TAG_MAX], close[TAG_MAX]; /* "<doc", "</doc": the record */
    char id[TAG_MAX];     /* "<docno", or "": an attribute is the id */
    char single[TAG_MAX]; /* what may occur only once in a record */
    const char *record;   /* its name for messages */
    bool any, any_id;     /* there was a record; some record has an id */
    const char *rest;     /* rest of the current line */
    size_t rest_len;
    struct trec_text body; /* the parts of the body that are text */
    struct buf raw; /* the body as it was read, if in->body has its terms */
};

static size_t count_tags(const char *p, const char *end, const char *name)
{
    size_t n = 0;

    for (; (p = trec_tag(p, end, name)) != NULL; p++)
        n++;
    return n;
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

        if (!opened && (p = trec_tag(s->rest, end, s->open)) != NULL) {
            opened = in->text.line;
            s->rest = p + strlen(s->open); /* its attributes may hold the id */
        }
        p = opened ? trec_tag(s->rest, end, s->close) : NULL;
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
            s->rest = trec_tag_end(p, end);
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

/* Find the attribute of the record that is its id; NULL if it has none.  tag:
 * the rest of its start tag, up to body. */
static const char *id_attribute(const struct input *in, const char *tag,
                                const char *body, size_t *len)
{
    const char *id = in->options->id_field, *p = tag;
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
                             const char *tag, const char *body,
                             const char *end, struct cooc_err *err)
{
    const char *p = *s->id ? trec_tag(body, end, s->id) : NULL, *q = NULL;
    size_t len = 0;

    if (!*s->id) {
        p = id_attribute(in, tag, body, &len);
    } else if (p) {
        p = trec_tag_end(p, end);
        q = memchr(p, '<', (size_t)(end - p));
        len = (size_t)((q ? q : end) - p);
        ascii_trim(&p, &len, " \t\r\n");
    } else if (ascii_begins(tag, (size_t)(end - tag), " id=\"")) {
        p = tag + 5;
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

/* Set the document's text, and its name, from its source raw. */
static int make_document(struct trec_state *s, struct input *in,
                         const struct buf *raw, struct cooc_err *err)
{
    const char *end = raw->data + raw->len;
    const char *body = trec_tag_end(raw->data, end);
    int rc;

    rc = trec_text(&s->body, in, body, end, err);
    return rc < 0 ? rc : set_document_name(s, in, raw->data, body, end, err);
}

static int next_trec(struct input *in, struct cooc_err *err)
{
    struct trec_state *s = in->state;
    struct buf raw;
    int rc = collect(s, in, err);

    if (rc == 0 && !in->documents && in->text.line)
        return err_path_option(err, COOC_EFORMAT, in->name, "record",
                               "is not a TREC file: it has no <%s>; name the "
                               "element that is a document",
                               s->record);
    if (rc <= 0)
        return rc;
    s->any = true;
    if (s->body.split) { /* the terms replace the body */
        raw = in->body;
        in->body = s->raw;
        in->body.len = 0;
        s->raw = raw;
    }
    rc = make_document(s, in, s->body.split ? &s->raw : &in->body, err);
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
    s->body.split = o->split != NULL;
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

    trec_text_release(&s->body);
    buf_release(&s->raw);
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
