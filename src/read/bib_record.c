/* bib_record.c - a bibliographic record: what becomes of its names and values.
 *
 * A record is kept as one buffer of lines, name TAB value, so its memory is a
 * little more than the record in the file.  Each requested field takes one scan
 * of the buffer.
 */
#include "read/bib_record.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/fields.h"
#include "read/input.h"

int bib_begin(struct input *in, struct cooc_err *err)
{
    const struct cooc_index_options *o = in->options;

    return o->text_fields ? fields_begin(&in->fields, o->text_fields,
                                         o->split != NULL, err)
                          : 0;
}

void bib_clear(struct bib_record *r, uint64_t line)
{
    r->line = line;
    r->kept = false;
    r->values.len = r->key.len = 0;
}

static bool same_name(const struct bib_record *r, const char *a, size_t n,
                      const char *b, size_t len)
{
    return n == len && (r->names->any_case ? !ascii_ncasecmp(a, b, n)
                                           : !memcmp(a, b, n));
}

static bool is_listed(const struct bib_record *r, const char *const *list,
                      const char *name, size_t len)
{
    for (; *list; list++)
        if (same_name(r, name, len, *list, strlen(*list)))
            return true;
    return false;
}

bool bib_wants(const struct bib_record *r, const struct input *in,
               const char *name, size_t len)
{
    const struct cooc_index_options *o = in->options;
    const struct fields *f = &in->fields;

    if (o->id_field ? same_name(r, name, len, o->id_field, strlen(o->id_field))
                    : is_listed(r, r->names->ids, name, len))
        return true;
    if (!o->text_fields) {
        const char *const *text = r->names->text;

        for (; *text; text += 2)
            if (same_name(r, name, len, text[0], strlen(text[0])) ||
                (text[1] && same_name(r, name, len, text[1], strlen(text[1]))))
                return true;
        return false;
    }
    for (size_t i = 0; i < f->n; i++)
        if (same_name(r, name, len, f->items[i].trimmed,
                      f->items[i].trimmed_len))
            return true;
    return false;
}

/* Append text to the values, with blanks instead of line ends. */
static int add_text(struct bib_record *r, const struct input *in,
                    const char *text, size_t len, struct cooc_err *err)
{
    size_t from = r->values.len;
    int rc = input_room_for(in, from, len + 1, err);

    if (rc == 0 && len)
        rc = buf_add(&r->values, text, len, err);
    for (size_t i = from; rc == 0 && i < r->values.len; i++)
        if (r->values.data[i] == '\n')
            r->values.data[i] = ' ';
    return rc < 0 ? rc : buf_byte(&r->values, '\n', err);
}

int bib_add(struct bib_record *r, struct input *in, const char *name,
            size_t name_len, const char *value, size_t len,
            struct cooc_err *err)
{
    int rc = 0;

    if (in->options->text_fields && fields_want_names(&in->fields))
        rc = fields_offer(&in->fields, name, name_len, err);
    r->kept = bib_wants(r, in, name, name_len);
    if (rc < 0 || !r->kept)
        return rc;
    ascii_trim(&value, &len, ASCII_SPACE);
    rc = input_room_for(in, r->values.len, name_len + 1, err);
    if (rc == 0)
        rc = buf_add(&r->values, name, name_len, err);
    if (rc == 0)
        rc = buf_byte(&r->values, '\t', err);
    return rc < 0 ? rc : add_text(r, in, value, len, err);
}

int bib_more(struct bib_record *r, struct input *in, const char *text,
             size_t len, struct cooc_err *err)
{
    ascii_trim(&text, &len, ASCII_SPACE);
    if (!r->kept || !len)
        return 0;
    r->values.data[r->values.len - 1] = ' '; /* was the end of the line */
    return add_text(r, in, text, len, err);
}

/* The next value of the field name[0..n) at *at, which moves after it.  False:
 * there are no more values. */
static bool next_value(const struct bib_record *r, const char **at,
                       const char *name, size_t n, const char **value,
                       size_t *len)
{
    const char *end = r->values.data + r->values.len;

    while (*at < end) {
        const char *line = *at;
        const char *nl = memchr(line, '\n', (size_t)(end - line));
        const char *tab = memchr(line, '\t', (size_t)(nl - line));

        *at = nl + 1;
        if (!same_name(r, line, (size_t)(tab - line), name, n))
            continue;
        *value = tab + 1;
        *len = (size_t)(nl - *value);
        ascii_trim(value, len, ASCII_SPACE);
        return true;
    }
    return false;
}

enum { NOTHING = 0, HAS_TEXT = 1, IS_THERE = 2 };

/* Add all values of a field to the text; returns what was found. */
static int add_field(const struct bib_record *r, struct input *in,
                     const struct field *field, struct cooc_err *err)
{
    const char *at = r->values.data, *value;
    int found = NOTHING, rc;
    size_t len;

    while (next_value(r, &at, field->trimmed, field->trimmed_len, &value,
                      &len)) {
        found |= IS_THERE;
        if (!len)
            continue;
        found |= HAS_TEXT;
        rc = input_add_value(in, field, value, len, err);
        if (rc < 0)
            return rc;
    }
    return found;
}

static int add_asked(const struct bib_record *r, struct input *in,
                     struct cooc_err *err)
{
    struct fields *f = &in->fields;

    for (size_t i = 0; i < f->n; i++) {
        const struct field *field = &f->items[i];
        int rc = add_field(r, in, field, err);

        if (rc > 0)
            rc = fields_saw(f, i, field->trimmed_len < field->len,
                            rc & HAS_TEXT, err);
        if (rc < 0)
            return rc;
    }
    return fields_record(f, in->watch, err);
}

static int add_default(const struct bib_record *r, struct input *in,
                       struct cooc_err *err)
{
    const char *const *text = r->names->text;

    for (; *text; text += 2) {
        struct field field = field_of(text[0], strlen(text[0]), false);
        int rc = add_field(r, in, &field, err);

        if (rc >= 0 && !(rc & HAS_TEXT) && text[1]) {
            field = field_of(text[1], strlen(text[1]), false);
            rc = add_field(r, in, &field, err);
        }
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Set the label to the first value of a field that is not empty. */
static int label_by(const struct bib_record *r, struct input *in,
                    const char *name, struct cooc_err *err)
{
    const char *at = r->values.data, *value;
    size_t len;

    while (!in->label.len &&
           next_value(r, &at, name, strlen(name), &value, &len)) {
        int rc = buf_add(&in->label, value, len, err);

        if (rc < 0)
            return rc;
    }
    return 0;
}

static int set_document_name(struct bib_record *r, struct input *in,
                             struct cooc_err *err)
{
    const char *asked = in->options->id_field;
    int rc = 0;

    if (asked) {
        rc = label_by(r, in, asked, err);
        r->any_id = r->any_id || in->label.len;
    } else {
        if (r->key.len)
            rc = buf_add(&in->label, r->key.data, r->key.len, err);
        for (const char *const *id = r->names->ids; rc == 0 && *id; id++)
            rc = label_by(r, in, *id, err);
    }
    if (rc == 0 && in->label.len)
        input_label(in);
    else if (rc == 0)
        rc = input_name(in, r->line, err);
    return rc;
}

int bib_document(struct bib_record *r, struct input *in, struct cooc_err *err)
{
    int rc = buf_reserve(&r->values, 1, err); /* data is not NULL */

    if (rc == 0)
        rc = in->options->text_fields ? add_asked(r, in, err)
                                      : add_default(r, in, err);
    if (rc == 0)
        rc = set_document_name(r, in, err);
    return rc < 0 ? rc : 1;
}

void bib_finish(const struct bib_record *r, const struct input *in)
{
    if (in->options->id_field && r->names && !r->any_id)
        watch_warn(in->watch,
                   "no record has a name in the id field '%.80s'; documents "
                   "are named by file and line", in->options->id_field);
}

void bib_release(struct bib_record *r)
{
    buf_release(&r->values);
    buf_release(&r->key);
}
