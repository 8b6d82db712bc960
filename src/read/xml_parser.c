/* xml_parser.c - drive libxml2's push parser.
 *
 * The push parser gives text in pieces, whatever the length of a text is.  A
 * tag, a comment or a DTD is parsed when all of it has arrived; until then
 * libxml2 keeps its bytes, and check_pending() limits them.  The limits of
 * tags, DTDs and namespaces also bound the time: libxml2 compares each
 * attribute with all attributes before it.
 *
 * libxml2 has global settings that other code of the process may use, so none
 * of them is changed, except for the thread's error function during a call.
 */
#include "read/xml_parser.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "read/html_reference.h"

#define DEFAULTS_MAX 100   /* attributes with a default value in a DTD */
#define NAMESPACES_MAX 256 /* in scope */

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

struct xml_parser {
    xmlParserCtxt *ctxt;
    const char *name;
    const struct xml_handler *handler;
    void *self;
    uint64_t *invalid;
    struct cooc_err *err; /* of the current call */
    int rc;               /* the first failure */
    bool last;            /* the end of the file has arrived */

    const char *path[XML_DEPTH];
    int namespaces[XML_DEPTH]; /* declared by each open element */
    size_t depth;              /* number of open elements */
    int in_scope;              /* number of namespaces */
    size_t defaults;

    xmlEntity entity; /* the entity returned last */
    char letter[HTML_REFERENCE_MAX + 1];

    char cut[4]; /* a character whose end has not arrived */
    size_t cut_len;
    struct buf joined, clean;
};

uint64_t xml_parser_line(const struct xml_parser *p)
{
    int line = p->ctxt->input ? p->ctxt->input->line : 0;

    return line > 0 ? (uint64_t)line : 1;
}

/* Record a failure, and call nothing any more.  xmlStopParser() would also free
 * the buffers that libxml2 is working on. */
static void stop(struct xml_parser *p, int rc)
{
    if (p->rc == 0)
        p->rc = rc;
    p->ctxt->disableSAX = 1;
}

static void fail(struct xml_parser *p, int code, const char *what)
{
    if (p->rc == 0)
        stop(p,
             err_line(p->err, code, p->name, xml_parser_line(p), "%s", what));
}

/* ---- errors of libxml2 --------------------------------------------------- */

/* What is wrong, and what to do about the most common errors. */
static const char *reason_of(error_pointer e)
{
    static const char function[] = "xmlParse";
    const char *text = e->message ? e->message : "malformed", *colon;

    if (strstr(text, "EntityRef:"))
        return "a '&' does not begin an entity; write &amp; instead";
    if (strstr(text, "StartTag: invalid element name"))
        return "a '<' does not begin a tag; write &lt; instead";
    colon = strstr(text, ": ");
    return colon && !strncmp(text, function, sizeof function - 1) ? colon + 2
                                                                  : text;
}

static void note_error(void *self, error_pointer e)
{
    struct xml_parser *p = self;
    const char *text = reason_of(e);
    size_t len = strcspn(text, "\n");
    uint64_t line = e->line > 0 ? (uint64_t)e->line : 1;

    if (p->rc < 0)
        return;
    if (e->code == XML_ERR_NO_MEMORY)
        p->rc = err_nomem(p->err);
    else if (e->code == XML_ERR_DOCUMENT_END && p->last && p->depth)
        p->rc = err_line(p->err, COOC_EFORMAT, p->name, line,
                         "the file is truncated: it ends inside the element "
                         "'%.60s'",
                         p->path[p->depth - 1]);
    else if (e->level == XML_ERR_FATAL)
        p->rc = err_line(p->err, COOC_EFORMAT, p->name, line,
                         "malformed XML: %.*s", len < 160 ? (int)len : 160,
                         text);
}

static void ignore_error(void *self, error_pointer e)
{
    (void)self;
    (void)e;
}

/* The thread's error function, which libxml2 calls for errors without a
 * parser. */
struct quiet {
    xmlStructuredErrorFunc function;
    void *self;
};

static struct quiet begin_quiet(void)
{
    struct quiet old = { xmlStructuredError, xmlStructuredErrorContext };

    xmlSetStructuredErrorFunc(NULL, ignore_error);
    return old;
}

static void end_quiet(struct quiet old)
{
    xmlSetStructuredErrorFunc(old.self, old.function);
}

/* ---- elements and text --------------------------------------------------- */

const char *xml_attribute(const struct xml_element *e, const char *name,
                          size_t name_len, size_t *len)
{
    const char *const *a = e->attributes;

    /* local name, prefix, URI, value, end of the value */
    for (size_t i = 0; i < e->n_attributes; i++, a += 5)
        if (strncmp(a[0], name, name_len) == 0 && !a[0][name_len]) {
            *len = (size_t)(a[4] - a[3]);
            return a[3];
        }
    return NULL;
}

static void start_element(void *self, const xmlChar *name,
                          const xmlChar *prefix, const xmlChar *uri,
                          int n_namespaces, const xmlChar **namespaces,
                          int n_attributes, int n_defaulted,
                          const xmlChar **attributes)
{
    struct xml_parser *p = self;
    struct xml_element e = { .path = p->path,
                             .depth = p->depth,
                             .attributes = attributes,
                             .n_attributes = (size_t)n_attributes };
    int rc;

    (void)prefix, (void)uri, (void)namespaces, (void)n_defaulted;
    if (p->rc < 0)
        return;
    if (p->depth == XML_DEPTH) {
        fail(p, COOC_ELIMIT, "elements are nested too deeply");
        return;
    }
    if (p->in_scope + n_namespaces > NAMESPACES_MAX) {
        fail(p, COOC_ELIMIT, "too many namespaces are declared");
        return;
    }
    p->in_scope += n_namespaces;
    p->namespaces[p->depth] = n_namespaces;
    p->path[p->depth++] = (const char *)name;
    rc = p->handler->start(p->self, &e, p->err);
    if (rc < 0)
        stop(p, rc);
}

static void end_element(void *self, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri)
{
    struct xml_parser *p = self;
    int rc;

    (void)name, (void)prefix, (void)uri;
    if (p->rc < 0 || !p->depth)
        return;
    p->in_scope -= p->namespaces[--p->depth];
    rc = p->handler->end(p->self, p->depth, p->err);
    if (rc < 0)
        stop(p, rc);
}

static void add_text(void *self, const xmlChar *text, int len)
{
    struct xml_parser *p = self;
    int rc = 0;

    if (p->rc == 0 && len > 0)
        rc = p->handler->text(p->self, (const char *)text, (size_t)len, p->err);
    if (rc < 0)
        stop(p, rc);
}

/* ---- entities and DTDs --------------------------------------------------- */

/* Decode a name that HTML knows; false if it does not. */
static bool html_entity(struct xml_parser *p, const char *name)
{
    char text[48];
    int len = snprintf(text, sizeof text, "&%s;", name);
    size_t n = 0;

    if (len < 0 || (size_t)len >= sizeof text ||
        html_reference(text, text + len, p->letter, &n) != (size_t)len)
        return false;
    p->letter[n] = '\0';
    return true;
}

/* Return the text of an entity as libxml2 returns "&lt;": it is not parsed
 * again. */
static xmlEntity *get_entity(void *self, const xmlChar *name)
{
    struct xml_parser *p = self;
    xmlEntity *known = xmlGetPredefinedEntity(name);
    const char *text = NULL;

    if (known || p->rc < 0)
        return known;
    known = p->ctxt->myDoc ? xmlGetDocEntity(p->ctxt->myDoc, name) : NULL;
    if (known && known->etype == XML_INTERNAL_GENERAL_ENTITY)
        text = known->content ? (const char *)known->content : "";
    else if (html_entity(p, (const char *)name))
        text = p->letter;
    if (!text)
        return NULL;
    if (p->depth && strpbrk(text, "<&")) {
        fail(p, COOC_EFORMAT,
             "an entity contains tags or other entities, which is not "
             "supported; replace it, for example with xmllint --noent");
        return NULL;
    }
    if (p->depth && strlen(text) > XML_ENTITY_MAX) {
        fail(p, COOC_ELIMIT, "an entity is too long; replace it by its text");
        return NULL;
    }
    /* libxml2 would allocate a missing orig. */
    p->entity = (xmlEntity){ .type = XML_ENTITY_DECL,
                             .name = BAD_CAST "text",
                             .orig = BAD_CAST "",
                             .content = (xmlChar *)(uintptr_t)text,
                             .length = (int)strlen(text),
                             .etype = XML_INTERNAL_PREDEFINED_ENTITY };
    return &p->entity;
}

/* A reference to an entity that may be declared in an external file. */
static void unknown_entity(void *self, const xmlChar *name)
{
    struct xml_parser *p = self;

    if (p->rc == 0)
        stop(p, err_line(p->err, COOC_EFORMAT, p->name, xml_parser_line(p),
                         "the entity '&%.60s;' is not declared in this file, "
                         "and other files are not read; replace it by its "
                         "text",
                         (const char *)name));
}

static void declare_attribute(void *self, const xmlChar *element,
                              const xmlChar *name, int type, int kind,
                              const xmlChar *value, xmlEnumeration *values)
{
    struct xml_parser *p = self;

    (void)element, (void)name, (void)type, (void)kind;
    xmlFreeEnumeration(values);
    if (value && ++p->defaults > DEFAULTS_MAX)
        fail(p, COOC_ELIMIT,
             "the DTD has too many default values of attributes; remove it, "
             "for example with xmllint --dropdtd");
}

/* ---- the parser ---------------------------------------------------------- */

int xml_parser_new(struct xml_parser **out, const char *name,
                   const struct xml_handler *handler, void *self,
                   uint64_t *invalid, struct cooc_err *err)
{
    struct xml_parser *p = *out = mem_zarray(1, sizeof *p);
    xmlSAXHandler sax = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start_element,
        .endElementNs = end_element,
        .characters = add_text,
        .ignorableWhitespace = add_text,
        .cdataBlock = add_text,
        .getEntity = get_entity,
        .reference = unknown_entity,
        .attributeDecl = declare_attribute,
        .serror = note_error,
    };
    struct quiet old;

    if (!p)
        return err_nomem(err);
    p->name = name;
    p->handler = handler;
    p->self = self;
    p->invalid = invalid;
    xmlInitParser();
    old = begin_quiet();
    p->ctxt = xmlCreatePushParserCtxt(&sax, p, NULL, 0, NULL);
    if (p->ctxt)
        xmlCtxtUseOptions(p->ctxt, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    end_quiet(old);
    if (p->ctxt)
        return 0;
    xml_parser_free(p);
    *out = NULL;
    return err_nomem(err);
}

void xml_parser_free(struct xml_parser *p)
{
    struct quiet old;

    if (!p)
        return;
    old = begin_quiet();
    if (p->ctxt) {
        xmlFreeDoc(p->ctxt->myDoc); /* holds the declared entities */
        xmlFreeParserCtxt(p->ctxt);
    }
    end_quiet(old);
    buf_release(&p->joined);
    buf_release(&p->clean);
    mem_free(p);
}

/* Limit the bytes that libxml2 keeps until a tag, a comment or a DTD is
 * complete. */
static void check_pending(struct xml_parser *p)
{
    const xmlParserInput *in = p->ctxt->input;
    size_t pending = in ? (size_t)(in->end - in->cur) : 0;
    bool comment = pending > 4 && (memcmp(in->cur, "<!--", 4) == 0 ||
                                   memcmp(in->cur, "<?", 2) == 0);

    if (pending > (comment ? XML_COMMENT_MAX : XML_TAG_MAX))
        fail(p, COOC_ELIMIT,
             comment ? "a comment is too long; remove it"
                     : "a tag or a DTD is too long");
}

static void parse(struct xml_parser *p, const char *data, size_t len, bool last)
{
    struct quiet old = begin_quiet();
    int code;

    p->last = last;
    code = xmlParseChunk(p->ctxt, data, (int)len, last);

    if (p->rc == 0 && code == XML_ERR_NO_MEMORY)
        p->rc = err_nomem(p->err);
    if (p->rc == 0 && !last)
        check_pending(p);
    if (p->rc == 0 && last && !p->ctxt->wellFormed)
        fail(p, COOC_EFORMAT, "malformed XML");
    end_quiet(old);
}

/* The number of bytes at the end of text[0..len) that may begin a character of
 * which the rest is missing. */
static size_t cut_bytes(const char *text, size_t len)
{
    for (size_t n = 1; n <= 3 && n <= len; n++) {
        uint8_t lead = (uint8_t)text[len - n];

        if (lead >= 0xc0)
            return n < (lead < 0xe0 ? 2u : lead < 0xf0 ? 3u : 4u) ? n : 0;
        if (lead < 0x80)
            return 0;
    }
    return 0;
}

int xml_parser_feed(struct xml_parser *p, const char *data, size_t len,
                    bool last, struct cooc_err *err)
{
    int rc = 0;

    p->err = err;
    if (p->cut_len) {
        p->joined.len = 0;
        rc = buf_add(&p->joined, p->cut, p->cut_len, err);
        if (rc == 0)
            rc = buf_add(&p->joined, data, len, err);
        data = p->joined.data;
        len = p->joined.len;
        p->cut_len = 0;
    }
    if (rc == 0 && !last) {
        p->cut_len = cut_bytes(data, len);
        len -= p->cut_len;
        memcpy(p->cut, data + len, p->cut_len);
    }
    if (rc == 0 && !utf8_is_valid(data, len)) {
        p->clean.len = 0;
        rc = utf8_repair(data, len, &p->clean, p->invalid, err);
        data = p->clean.data;
        len = p->clean.len;
    }
    if (rc == 0)
        parse(p, len ? data : "", len, last);
    return rc < 0 ? rc : p->rc;
}
