/* fmt_trec.c - TREC collections: many documents a file, in loose SGML.
 *
 *     <DOC> <DOCNO> FT911-3 </DOCNO>
 *     <HEADLINE>...</HEADLINE> <TEXT>...</TEXT> </DOC>        newswire
 *
 *     <DOC> <DOCNO>GX000-01</DOCNO>
 *     <DOCHDR> http://... </DOCHDR> <html>...</html> </DOC>   web
 *
 * Neither is XML: tags are in any case, entities undeclared, the encoding
 * unknown.  A document is collected line by line up to </DOC>, so only one
 * is in memory; a second <DOCNO> before that is an error, lest two become one
 * (a web page may well say <doc>, but not that).  Of newswire the fields that
 * hold text are kept (all but the number, if there are none), of web pages
 * what follows </DOCHDR>; both go through html_text(), which drops inner tags
 * and comments.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "cooc.h"
#include "read/format.h"
#include "read/html_text.h"
#include "read/input.h"
#include "read/read.h"

struct trec_state {
    const char *rest; /* of the line at hand */
    size_t rest_len;
    uint64_t number;   /* of the document in its entry, from 1 */
    struct buf fields; /* the parts of the body that are text */
    struct buf plain;
};

/* Find "<name" or "</name" followed by something that ends a tag's name;
 * NULL if it is not in [p, end). */
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

/* Behind the '>' of the tag at p. */
static const char *tag_end(const char *p, const char *end)
{
    const char *gt = memchr(p, '>', (size_t)(end - p));

    return gt ? gt + 1 : end;
}

static int add(struct input *in, const char *p, size_t n, struct cooc_err *err)
{
    int rc = input_room(in, n + 1, err);

    if (rc == 0)
        rc = buf_add(&in->body, p, n, err);
    return rc < 0 ? rc : buf_byte(&in->body, '\n', err);
}

/* Collect what is between <DOC> and </DOC> in body: 1, or 0 at the end. */
static int collect(struct trec_state *s, struct input *in, struct cooc_err *err)
{
    uint64_t opened = 0;
    size_t numbers = 0;
    const char *p;
    int rc;

    in->body.len = 0;
    for (;;) {
        const char *end = s->rest + s->rest_len;

        if (!opened && (p = find_tag(s->rest, end, "<doc")) != NULL) {
            opened = in->lines.line;
            s->rest = p + 4; /* what the tag says may be its id */
        }
        p = opened ? find_tag(s->rest, end, "</doc") : NULL;
        if (opened)
            numbers += count_tags(s->rest, p ? p : end, "<docno");
        if (numbers > 1)
            return input_wrong(in, err,
                               "a second <DOCNO>; the <DOC> of line %llu is "
                               "not closed before it",
                               (unsigned long long)opened);
        if (opened) {
            rc = add(in, s->rest, (size_t)((p ? p : end) - s->rest), err);
            if (rc < 0)
                return rc;
        }
        if (p) {
            s->rest = tag_end(p, end);
            s->rest_len = (size_t)(end - s->rest);
            return 1;
        }
        rc = line_reader_next(&in->lines, &s->rest, &s->rest_len, err);
        if (rc == 0)
            s->rest_len = 0;
        if (rc < 0 || (rc == 0 && !opened))
            return rc;
        if (rc == 0)
            return err_set(err, COOC_EFORMAT,
                           "%s:%llu: this <DOC> is never closed", in->name,
                           (unsigned long long)opened);
    }
}

static void trim(const char **p, const char **end)
{
    while (*p < *end && memchr(" \t\r\n", **p, 4))
        ++*p;
    while (*p < *end && memchr(" \t\r\n", (*end)[-1], 4))
        --*end;
}

/* The name: what DOCNO holds, or <DOC id="x">, or PATH:N. */
static int name_it(struct trec_state *s, struct input *in, const char *body,
                   const char *end, struct document *doc, struct cooc_err *err)
{
    const char *p = find_tag(body, end, "<docno"), *q = NULL;

    if (p) {
        p = tag_end(p, end);
        q = find_tag(p, end, "</docno");
        q = q ? q : end;
        trim(&p, &q);
    } else if (in->body.len > 5 &&
               !ascii_ncasecmp(in->body.data, " id=\"", 5)) {
        p = in->body.data + 5;
        q = memchr(p, '"', (size_t)(end - p));
    }
    if (!p || !q || p == q)
        return input_name(in, s->number, doc, err);
    doc->name = p;
    doc->name_len = (size_t)(q - p);
    return 0;
}

static int add_part(struct trec_state *s, const char *p, const char *end,
                    struct cooc_err *err)
{
    int rc = buf_add(&s->fields, p, (size_t)(end - p), err);

    return rc < 0 ? rc : buf_byte(&s->fields, '\n', err);
}

/* Is the tag at p, which ends before end, one that opens a text field? */
static const char *text_field(const char *p, const char *end)
{
    static const char *const names[] = {
        "</text", "</headline", "</title", "</hl", "</head",
        "</ttl",  "</dd",       "</date",  "</lp", "</leadpara",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = names[i] + 2;
        size_t n = strlen(name);

        if ((size_t)(end - p) > n + 1 && !ascii_ncasecmp(p + 1, name, n) &&
            memchr("> \t\r\n", p[n + 1], 5))
            return names[i];
    }
    return NULL;
}

/* Newswire: the contents of the text fields, into fields. */
static int add_fields(struct trec_state *s, const char *p, const char *end,
                      bool *found, struct cooc_err *err)
{
    *found = false;
    while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
        const char *closing = text_field(p, end), *q;
        int rc;

        if (!closing) {
            p++;
            continue;
        }
        p = tag_end(p, end);
        q = find_tag(p, end, closing);
        rc = add_part(s, p, q ? q : end, err);
        if (rc < 0)
            return rc;
        *found = true;
        p = q ? q + 1 : end;
    }
    return 0;
}

/* No field known: everything but the number. */
static int add_all(struct trec_state *s, const char *p, const char *end,
                   struct cooc_err *err)
{
    const char *no;

    while ((no = find_tag(p, end, "<docno")) != NULL) {
        int rc = add_part(s, p, no, err);

        if (rc < 0)
            return rc;
        p = find_tag(no, end, "</docno");
        p = p ? tag_end(p, end) : end;
    }
    return add_part(s, p, end, err);
}

static int next_trec(void *state, struct input *in, struct document *doc,
                     struct cooc_err *err)
{
    struct trec_state *s = state;
    bool known = in->options->encoding || text_is_converted(&in->text);
    const char *body, *end, *header;
    bool found = true;
    int rc = collect(s, in, err);

    if (rc == 0 && s->number == 0 && in->lines.line)
        return err_set(err, COOC_EFORMAT, "%s: no <DOC> in it", in->name);
    if (rc <= 0)
        return rc;
    s->number++;
    end = in->body.data + in->body.len;
    body = tag_end(in->body.data, end);
    s->fields.len = s->plain.len = 0;
    header = find_tag(body, end, "<dochdr");
    if (header)
        header = find_tag(header, end, "</dochdr");
    if (header)
        rc = add_part(s, tag_end(header, end), end, err);
    else
        rc = add_fields(s, body, end, &found, err);
    if (rc == 0 && !found)
        rc = add_all(s, body, end, err);
    if (rc == 0)
        rc = html_text(s->fields.data, s->fields.len, known ? "UTF-8" : NULL,
                       &s->plain, &in->stats->invalid_bytes, err);
    if (rc == 0)
        rc = name_it(s, in, body, end, doc, err);
    doc->text = s->plain.len ? s->plain.data : "";
    doc->text_len = s->plain.len;
    return rc < 0 ? rc : 1;
}

static int begin_trec(void *state, struct input *in, struct cooc_err *err)
{
    struct trec_state *s = state;

    (void)in;
    (void)err;
    s->rest = "";
    s->rest_len = 0;
    s->number = 0;
    return 0;
}

static void release_trec(void *state)
{
    struct trec_state *s = state;

    buf_release(&s->fields);
    buf_release(&s->plain);
}

const struct format format_trec = {
    .name = "trec",
    .summary = "TREC SGML: <DOC><DOCNO>id</DOCNO> ... </DOC>",
    .state_size = sizeof(struct trec_state),
    .begin = begin_trec,
    .next = next_trec,
    .release = release_trec,
};
