/* fmt_xml.c - XML files with many records: PubMed, Wikipedia dumps, TEI.
 *
 *     <PubmedArticle> ... <PMID>7</PMID> ...
 *       <ArticleTitle>Tea</ArticleTitle> ... </PubmedArticle>
 *
 * The user names the element that is a record, and the elements with text.  The
 * file is parsed piece by piece, always in pieces of the same size, so that the
 * result does not depend on how the file is read.  An error ends the file:
 * nobody knows what an XML parser would make of the rest.
 *
 * Without a name for the record there is only an error, but it lists elements
 * to choose from.
 */
#include <stdio.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/name_list.h"
#include "base/watch.h"
#include "cooc.h"
#include "read/format.h"
#include "read/html_text.h"
#include "read/input.h"
#include "read/recode.h"
#include "read/stream.h"
#include "read/xml_records.h"

#define SLICE ((size_t)16 << 10) /* bytes that are parsed at a time */
#define GUESS ((size_t)1 << 20)  /* bytes in which names are looked for */

struct xml_state {
    struct xml_parser *parser;
    struct xml_records records;
    struct buf slice;
    bool ended;          /* everything was parsed, or the parser failed */
    int rc;              /* why it failed, */
    struct cooc_err why; /* reported after the records before it */
    bool any_id;         /* some record has an id */
};

/* ---- the encoding -------------------------------------------------------- */

/* UTF-16 without a byte order mark, by the first "<". */
static const char *unmarked_utf16(const char *head, size_t len)
{
    if (len >= 4 && memcmp(head, "<\0", 2) == 0 && head[2] && !head[3])
        return "UTF-16LE";
    if (len >= 4 && memcmp(head, "\0<\0", 3) == 0 && head[3])
        return "UTF-16BE";
    return NULL;
}

/* Convert the entry to UTF-8.  A byte order mark comes first, then what the
 * user says, then the XML declaration. */
static int begin_text(struct input *in, struct cooc_err *err)
{
    struct stream *s = in->text.stream;
    const char *encoding = in->encoding.named, *head;
    char declared[HTML_CHARSET_MAX] = "";
    size_t len, skip;
    int rc = stream_sample(s, SAMPLE_SIZE, &head, &len, err);

    if (rc < 0)
        return rc;
    if (!encoding && !encoding_mark(head, len, &skip)) {
        encoding = unmarked_utf16(head, len);
        if (!encoding)
            html_xml_encoding(head, len, declared);
    }
    /* A declaration that can be read is not in UTF-16. */
    if (*declared && ascii_ncasecmp(declared, "utf", 3) != 0) {
        encoding = declared;
        rc = encoding_check(declared, NULL);
        if (rc == COOC_ENOMEM)
            return err_nomem(err);
        if (rc < 0)
            return err_path_option(err, COOC_EFORMAT, in->name, "encoding",
                                   "the XML declaration names the unknown "
                                   "encoding '%s'; set the encoding",
                                   declared);
    }
    return text_begin(&in->text, s, encoding, &in->stats->invalid_bytes, err);
}

/* ---- parsing ------------------------------------------------------------- */

/* Parse the next piece of the file.  A failure is kept in s. */
static int parse_slice(struct xml_state *s, struct input *in,
                       struct cooc_err *err)
{
    struct cooc_err damage = { 0 };
    int rc;

    xml_records_drop(&s->records);
    s->slice.len = 0;
    rc = text_bytes(&in->text, SLICE, &s->slice, &damage);
    if (rc < 0 && (!reader_is_bad(rc) || !s->slice.len))
        return err_copy(err, &damage);
    s->ended = rc == 0;
    if (s->ended && !s->slice.len && !s->parser)
        return 0; /* an empty file */
    rc = 0;
    if (!s->parser)
        rc = xml_parser_new(&s->parser, in->name, &xml_records_handler,
                            &s->records, &in->stats->invalid_bytes, err);
    if (rc < 0)
        return rc;
    s->records.parser = s->parser;
    s->rc = xml_parser_feed(s->parser, s->slice.data, s->slice.len, s->ended,
                            &s->why);
    if (damage.code && s->rc == 0) {
        s->why = damage;
        s->rc = damage.code;
    }
    s->ended = s->ended || s->rc < 0;
    return 0;
}

/* List names, as in "page, siteinfo". */
static void list_names(const struct buf *list, char *out, size_t size)
{
    const char *name = NULL;
    size_t len = 0;

    *out = '\0';
    while ((name = name_list_next(list, name)) != NULL && len < size) {
        snprintf(out + len, size - len, "%s%s", len ? ", " : "", name);
        len = strlen(out);
    }
}

static int no_record(const struct xml_state *s, struct input *in,
                     struct cooc_err *err)
{
    const struct xml_records *r = &s->records;
    const char *record = in->options->record;
    char below[150], deeper[150], names[400];

    list_names(&r->below[0], below, sizeof below);
    list_names(&r->below[1], deeper, sizeof deeper);
    snprintf(names, sizeof names, "the root is %.40s%s%s%s%s",
             r->root.len ? r->root.data : "missing",
             *below ? ", below it: " : "", below,
             *deeper ? "; below these: " : "", deeper);
    if (record)
        return err_path_option(err, COOC_EFORMAT, in->name, "record",
                               "has no element '%.60s'; name the element "
                               "that is a document; %s",
                               record, names);
    in->unfit = true;
    return err_path_option(err, COOC_EINVAL, in->name, "record",
                           "is XML, and the element that is a document is "
                           "not named; name it; %s",
                           names);
}

/* Fail because no record element was named, with names to choose from. */
static int guess_record(struct xml_state *s, struct input *in,
                        struct cooc_err *err)
{
    int rc = 0;

    for (size_t n = 0; n < GUESS && !s->ended && rc == 0; n += SLICE)
        rc = parse_slice(s, in, err);
    if (rc < 0 || !s->parser)
        return rc;
    return s->rc < 0 ? err_copy(err, &s->why) : no_record(s, in, err);
}

/* ---- documents ----------------------------------------------------------- */

/* Name the document by its id, or else by its line; if the root of the file is
 * the record, by the file. */
static int set_document_name(struct xml_state *s, struct input *in,
                             const struct xml_record *item, const char *id,
                             size_t len, struct cooc_err *err)
{
    int rc;

    ascii_trim(&id, &len, ASCII_SPACE);
    in->text.line = item->line;
    if (!len && item->is_root) {
        in->doc.name = in->name;
        in->doc.name_len = strlen(in->name);
        return 0;
    }
    if (!len)
        return input_name(in, item->line, err);
    s->any_id = true;
    rc = buf_add(&in->label, id, len, err);
    input_label(in);
    return rc;
}

static int make_document(struct xml_state *s, struct input *in,
                         const struct xml_record *item, struct cooc_err *err)
{
    const struct xml_records *r = &s->records;
    const struct field all = { 0 };
    const char *id = "";
    size_t id_len = 0;
    int rc = 0;

    if (r->all)
        rc = input_add_value(in, &all,
                             r->text.len ? r->text.data + item->from : "",
                             item->to - item->from, err);
    for (size_t i = item->first; i < item->end && rc == 0; i++) {
        const struct xml_value *v = &r->values[i];
        const struct buf *from = v->attribute ? &r->attributes : &r->text;
        const char *text = from->len ? from->data + v->from : "";
        size_t len = v->to - v->from;

        if (v->field == XML_ID) {
            id = id_len ? id : text;
            id_len = id_len ? id_len : len;
            continue;
        }
        if (!v->inside || in->options->split)
            rc = input_add_value(in, &in->fields.items[v->field], text, len,
                                 err);
        if (rc == 0)
            rc = fields_saw(&in->fields, v->field, true, len > 0, err);
    }
    if (rc == 0 && !r->all)
        rc = fields_record(&in->fields, in->watch, err);
    return rc < 0 ? rc : set_document_name(s, in, item, id, id_len, err);
}

static int next_xml(struct input *in, struct cooc_err *err)
{
    struct xml_state *s = in->state;
    const struct xml_record *item;
    int rc;

    if (!in->options->record)
        return guess_record(s, in, err);
    while ((item = xml_records_next(&s->records)) == NULL) {
        if (s->rc < 0)
            return err_copy(err, &s->why);
        if (s->ended)
            return s->parser && !s->records.found ? no_record(s, in, err) : 0;
        rc = parse_slice(s, in, err);
        if (rc < 0)
            return rc;
    }
    rc = make_document(s, in, item, err);
    return rc < 0 ? rc : 1;
}

static int begin_xml(struct input *in, struct cooc_err *err)
{
    struct xml_state *s = in->state;
    const char *fields = in->options->text_fields;
    int rc = 0;

    xml_parser_free(s->parser);
    s->parser = NULL;
    s->ended = false;
    s->rc = 0;
    if (fields)
        rc = fields_begin(&in->fields, fields, in->options->split != NULL, err);
    if (rc == 0)
        rc = xml_records_begin(&s->records, in, err);
    return rc < 0 ? rc : begin_text(in, err);
}

static void finish_xml(struct input *in)
{
    const struct xml_state *s = in->state;

    if (in->options->id_field && s->records.found && !s->any_id)
        watch_warn(in->watch,
                   "no record has text in the id field '%.80s'; documents are "
                   "named by file and line",
                   in->options->id_field);
}

static void release_xml(void *state)
{
    struct xml_state *s = state;

    xml_parser_free(s->parser);
    xml_records_release(&s->records);
    buf_release(&s->slice);
}

const struct format format_xml = {
    .name = "xml",
    .uses = USE_FIELDS | USE_ID | USE_RECORD | USE_SPLIT,
    .is_raw = true,
    .state_size = sizeof(struct xml_state),
    .begin = begin_xml,
    .next = next_xml,
    .finish = finish_xml,
    .release = release_xml,
};
