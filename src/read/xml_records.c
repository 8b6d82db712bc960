/* xml_records.c - collect the records of an XML file and their fields.
 *
 * All text of a record that may be needed goes to one buffer, and values are
 * ranges of it, so that values of different fields may overlap.  Only a piece
 * of the file is parsed before its records are returned, so few records are
 * complete at any time.
 */
#include "read/xml_records.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "read/input.h"

#define NAMES_BYTES 120 /* of the names of elements in a message */

/* ---- values -------------------------------------------------------------- */

static int add_value(struct xml_records *r, struct xml_value v,
                     struct cooc_err *err)
{
    int rc =
        array_grow(&r->values, &r->values_cap, r->n_values + 1, sizeof v, err);

    if (rc == 0)
        r->values[r->n_values++] = v;
    return rc;
}

static int add_attribute(struct xml_records *r, size_t field, const char *text,
                         size_t len, struct cooc_err *err)
{
    size_t from = r->attributes.len;
    size_t begin = r->items[r->n_items].attributes;
    int rc = input_room_for(r->in, from - begin, len, err);

    if (rc == 0)
        rc = buf_add(&r->attributes, text, len, err);
    if (rc < 0)
        return rc;
    return add_value(
        r,
        (struct xml_value){
            .field = field, .from = from, .to = from + len, .attribute = true },
        err);
}

/* Does the field begin at the element?  Its attribute is a value at once. */
static int try_field(struct xml_records *r, size_t i,
                     const struct xml_element *e, struct cooc_err *err)
{
    struct xml_field *f = &r->fields[i];
    size_t number = i + 1 == r->n_fields ? XML_ID : i, len;
    const struct xml_path *path = &f->path;
    const char *text;

    if (!path->n && (!path->attribute.len || e->depth != r->depth))
        return 0;
    if (!xml_path_matches(path, e))
        return 0;
    if (path->attribute.len) {
        text =
            xml_attribute(e, path->attribute.text, path->attribute.len, &len);
        return text ? add_attribute(r, number, text, len, err) : 0;
    }
    if (f->open)
        return 0;
    f->open = true;
    f->depth = e->depth;
    f->value = r->n_values;
    return add_value(
        r,
        (struct xml_value){ .field = number,
                            .from = r->text.len,
                            .inside = number != XML_ID && r->n_open > 0 },
        err);
}

static void close_fields(struct xml_records *r, size_t depth)
{
    for (size_t i = 0; i < r->n_fields; i++) {
        struct xml_field *f = &r->fields[i];

        if (!f->open || f->depth != depth)
            continue;
        f->open = false;
        r->values[f->value].to = r->text.len;
    }
}

/* The number of open values of text fields. */
static size_t count_open(const struct xml_records *r)
{
    size_t n = 0;

    for (size_t i = 0; i + 1 < r->n_fields; i++)
        n += r->fields[i].open;
    return n;
}

static bool wants_text(const struct xml_records *r)
{
    return r->open && (r->all || r->n_open || r->fields[r->n_fields - 1].open);
}

static int add_text(struct xml_records *r, const char *text, size_t len,
                    struct cooc_err *err)
{
    size_t begin = r->items[r->n_items].from;
    int rc = input_room_for(r->in, r->text.len - begin, len, err);

    return rc < 0 ? rc : buf_add(&r->text, text, len, err);
}

/* ---- what the parser calls ----------------------------------------------- */

static int begin_record(struct xml_records *r, const struct xml_element *e,
                        struct cooc_err *err)
{
    int rc = array_grow(&r->items, &r->items_cap, r->n_items + 1,
                        sizeof *r->items, err);

    if (rc < 0)
        return rc;
    r->items[r->n_items] = (struct xml_record){
        .line = xml_parser_line(r->parser),
        .is_root = e->depth == 0,
        .from = r->text.len,
        .attributes = r->attributes.len,
        .first = r->n_values,
    };
    r->open = r->found = true;
    r->depth = e->depth;
    r->n_open = 0;
    return 0;
}

/* Remember names for a message, until the first record. */
static int note_name(struct xml_records *r, const struct xml_element *e,
                     struct cooc_err *err)
{
    const char *name = e->path[e->depth];
    struct buf *list;

    if (e->depth == 0) {
        r->root.len = 0;
        return buf_add(&r->root, name, strlen(name) + 1, err);
    }
    if (e->depth > 2)
        return 0;
    list = &r->below[e->depth - 1];
    return list->len + strlen(name) < NAMES_BYTES
               ? name_list_add(list, name, strlen(name), err)
               : 0;
}

static int start(void *self, const struct xml_element *e, struct cooc_err *err)
{
    struct xml_records *r = self;
    const char *name = e->path[e->depth];
    bool apart = r->after_end && e->depth && !r->has_text[e->depth - 1];
    int rc = 0;

    r->after_end = false;
    r->at = e->depth;
    r->has_text[e->depth] = false;
    if (!r->found)
        rc = note_name(r, e, err);
    if (rc == 0 && !r->open && r->record.n && xml_path_matches(&r->record, e))
        rc = begin_record(r, e, err);
    if (rc < 0 || !r->open)
        return rc;
    if (apart && e->depth > r->depth && wants_text(r))
        rc = add_text(r, "\n", 1, err);
    if (rc == 0 && e->depth > r->depth && fields_want_names(&r->in->fields))
        rc = fields_offer(&r->in->fields, name, strlen(name), err);
    for (size_t i = 0; i < r->n_fields && rc == 0; i++)
        rc = try_field(r, i, e, err);
    r->n_open = count_open(r);
    return rc;
}

static int end(void *self, size_t depth, struct cooc_err *err)
{
    struct xml_records *r = self;
    struct xml_record *item;

    (void)err;
    r->after_end = true;
    r->at = depth ? depth - 1 : 0;
    if (!r->open)
        return 0;
    close_fields(r, depth);
    r->n_open = count_open(r);
    if (depth > r->depth)
        return 0;
    item = &r->items[r->n_items];
    item->to = r->text.len;
    item->end = r->n_values;
    r->n_items++;
    r->open = false;
    return 0;
}

static int text(void *self, const char *text, size_t len, struct cooc_err *err)
{
    struct xml_records *r = self;

    r->after_end = false;
    for (size_t i = 0; i < len && !r->has_text[r->at]; i++)
        r->has_text[r->at] = !ascii_space(text[i]);
    return wants_text(r) ? add_text(r, text, len, err) : 0;
}

const struct xml_handler xml_records_handler = { start, end, text };

/* ---- for the format ------------------------------------------------------ */

static int set_path(struct xml_path *p, const char *text, size_t len,
                    const char *option, struct cooc_err *err)
{
    if (xml_path_set(p, text, len))
        return 0;
    return err_option(err, COOC_EINVAL, option,
                      "'%.*s' is not a path of XML elements; write name, "
                      "outer/inner or name/@attribute",
                      len < 80 ? (int)len : 80, text);
}

static int set_fields(struct xml_records *r, struct cooc_err *err)
{
    const struct fields *f = &r->in->fields;
    const char *id = r->in->options->id_field;
    int rc = array_grow(&r->fields, &r->fields_cap, f->n + 1, sizeof *r->fields,
                        err);

    if (rc < 0)
        return rc;
    r->n_fields = f->n + 1;
    memset(r->fields, 0, r->n_fields * sizeof *r->fields);
    for (size_t i = 0; i < f->n && rc == 0; i++)
        rc = set_path(&r->fields[i].path, f->items[i].trimmed,
                      f->items[i].trimmed_len, "text_fields", err);
    if (rc == 0 && id)
        rc = set_path(&r->fields[f->n].path, id, strlen(id), "id_field", err);
    return rc;
}

int xml_records_begin(struct xml_records *r, struct input *in,
                      struct cooc_err *err)
{
    const char *record = in->options->record;
    int rc = 0;

    r->in = in;
    r->all = in->options->text_fields == NULL;
    r->open = r->found = r->after_end = false;
    r->n_items = r->next = r->n_values = r->at = r->n_open = 0;
    r->text.len = r->attributes.len = 0;
    r->root.len = r->below[0].len = r->below[1].len = 0;
    r->record = (struct xml_path){ .n = 0 };
    if (record)
        rc = set_path(&r->record, record, strlen(record), "record", err);
    if (rc == 0 && r->record.attribute.len)
        rc = err_option(err, COOC_EINVAL, "record",
                        "a record is an element, not the attribute '%.80s'",
                        record);
    return rc < 0 ? rc : set_fields(r, err);
}

const struct xml_record *xml_records_next(struct xml_records *r)
{
    return r->next < r->n_items ? &r->items[r->next++] : NULL;
}

/* Remove the first n bytes. */
static void drop_bytes(struct buf *b, size_t n)
{
    b->len -= n;
    if (n && b->len)
        memmove(b->data, b->data + n, b->len);
}

void xml_records_drop(struct xml_records *r)
{
    struct xml_record open =
        r->items && r->open
            ? r->items[r->n_items]
            : (struct xml_record){ .from = r->text.len,
                                   .attributes = r->attributes.len,
                                   .first = r->n_values };

    drop_bytes(&r->text, open.from);
    drop_bytes(&r->attributes, open.attributes);
    r->n_values -= open.first;
    if (r->n_values)
        memmove(r->values, r->values + open.first,
                r->n_values * sizeof *r->values);
    for (size_t i = 0; i < r->n_values; i++) {
        struct xml_value *v = &r->values[i];
        size_t moved = v->attribute ? open.attributes : open.from;

        v->from -= moved;
        v->to -= v->to ? moved : 0;
    }
    for (size_t i = 0; i < r->n_fields; i++)
        r->fields[i].value -= r->fields[i].open ? open.first : 0;
    open.from = open.attributes = open.first = 0;
    if (r->items)
        r->items[0] = open;
    r->n_items = r->next = 0;
}

void xml_records_release(struct xml_records *r)
{
    mem_free(r->fields);
    mem_free(r->values);
    mem_free(r->items);
    buf_release(&r->text);
    buf_release(&r->attributes);
    buf_release(&r->root);
    buf_release(&r->below[0]);
    buf_release(&r->below[1]);
}
