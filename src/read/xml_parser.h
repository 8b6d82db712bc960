/* xml_parser.h - the elements and the text of XML, as they are read.
 *
 *     xml_parser_new, then xml_parser_feed() until it fails or last is true
 *
 * libxml2 parses; no tree is built, so memory does not depend on the size of
 * the document.  Hostile input takes linear time and little memory:
 *
 *     depth             at most XML_DEPTH open elements
 *     tags, DTDs        at most XML_TAG_MAX bytes each
 *     comments          at most XML_COMMENT_MAX bytes
 *     entities          replaced by plain text of at most XML_ENTITY_MAX bytes;
 *                       entities that contain entities or tags are an error
 *     external files    never read
 *
 * Undeclared entities with a name that HTML knows (&eacute;) are replaced, too,
 * because collections often declare them in a file of their own.
 *
 * The input is UTF-8; invalid bytes become U+FFFD and are counted.  What the
 * document says about its encoding is ignored: the caller has converted it.
 * Names are without their namespace prefix.
 *
 * Errors     Messages name the file and the line.  Nothing is printed.
 */
#ifndef COOC_XML_PARSER_H
#define COOC_XML_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct xml_parser;

#define XML_DEPTH 256
#define XML_TAG_MAX ((size_t)256 << 10)
#define XML_COMMENT_MAX ((size_t)8 << 20)
#define XML_ENTITY_MAX 4096

struct xml_element {
    const char *const *path; /* names of the open elements, from the root */
    size_t depth;            /* path[depth] is this element */
    const void *attributes;
    size_t n_attributes;
};

/* The value of the attribute name[0..name_len), not NUL-terminated; NULL if the
 * element does not have it. */
const char *xml_attribute(const struct xml_element *e, const char *name,
                          size_t name_len, size_t *len);

/* What to call.  A function that returns an error ends the parsing. */
struct xml_handler {
    int (*start)(void *self, const struct xml_element *e, struct cooc_err *err);
    /* The element at this depth ends. */
    int (*end)(void *self, size_t depth, struct cooc_err *err);
    /* A piece of text. */
    int (*text)(void *self, const char *text, size_t len, struct cooc_err *err);
};

/* name is for messages; it, the handler and invalid must outlive the parser. */
int xml_parser_new(struct xml_parser **out, const char *name,
                   const struct xml_handler *handler, void *self,
                   uint64_t *invalid, struct cooc_err *err);
/* Parse the next bytes; last: the document ends after them.  After an error the
 * parser can only be freed. */
int xml_parser_feed(struct xml_parser *p, const char *data, size_t len,
                    bool last, struct cooc_err *err);
/* The line that is being parsed. */
uint64_t xml_parser_line(const struct xml_parser *p);
void xml_parser_free(struct xml_parser *p);

#endif
