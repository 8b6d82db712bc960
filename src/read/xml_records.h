/* xml_records.h - collect the records of an XML file and their fields.
 *
 *     <list>
 *       <item n="7"> <title>Tea</title> <p>One <i>two</i>.</p> </item>
 *     </list>
 *
 * With the record "item", the fields "title" and "p", and the id "@n", this is
 * a record with the id "7" and the values "Tea" and "One two.".
 *
 * Values are in the order of the document.  An element inside another one of
 * the same field is part of that value.  Where one element follows another
 * directly, in an element without text of its own, a line end keeps their words
 * apart; in any other place, the text is as in the document.
 */
#ifndef COOC_XML_RECORDS_H
#define COOC_XML_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "read/xml_parser.h"
#include "read/xml_path.h"

struct input;

/* A piece of text: bytes [from, to) of text, or of attributes. */
struct xml_value {
    size_t field; /* XML_ID: the id */
    size_t from, to;
    bool attribute; /* in attributes */
    bool inside;    /* part of a value of another field */
};
#define XML_ID SIZE_MAX

struct xml_record {
    uint64_t line; /* of its start tag */
    bool is_root;
    size_t from, to;   /* all of its text */
    size_t attributes; /* where its attributes begin */
    size_t first, end; /* its values */
};

/* A field that is looked for, and the value that is open. */
struct xml_field {
    struct xml_path path;
    bool open;
    size_t depth; /* of its element, if open */
    size_t value; /* index of the value, if open */
};

struct xml_records {
    struct input *in;
    const struct xml_parser *parser; /* for lines; set by the caller */
    struct xml_path record;
    struct xml_field *fields; /* the last one is the id */
    size_t n_fields, fields_cap;
    bool all; /* no fields: all text of a record */

    bool open;                /* inside a record */
    size_t depth;             /* of its element */
    size_t n_open;            /* open values */
    bool found;               /* there was a record */
    size_t at;                /* depth of the innermost open element */
    bool has_text[XML_DEPTH]; /* an open element has text of its own */
    bool after_end;           /* an element has just ended */

    struct buf text, attributes;
    struct xml_value *values;
    size_t n_values, values_cap;
    struct xml_record *items; /* complete records; then the open one */
    size_t n_items, items_cap, next;

    struct buf root;     /* name of the root, */
    struct buf below[2]; /* and of elements below it (name_list.h) */
};

extern const struct xml_handler xml_records_handler;

/* Prepare for another file: the fields of in->fields, and the paths that the
 * options say.  COOC_EINVAL if a path is malformed. */
int xml_records_begin(struct xml_records *r, struct input *in,
                      struct cooc_err *err);
/* The next complete record, or NULL. */
const struct xml_record *xml_records_next(struct xml_records *r);
/* Forget the records that were returned. */
void xml_records_drop(struct xml_records *r);
void xml_records_release(struct xml_records *r);

#endif
