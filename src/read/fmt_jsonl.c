/* fmt_jsonl.c - one JSON object per line.
 *
 *     {"id": 7, "title": "Tea", "body": {"text": ["One.", "Two."]}}
 *
 * With the text fields "title,body.text", this is document 7,
 * "Tea\nOne.\nTwo.".  A dotted path descends into objects, and through arrays
 * to each of their items.  A record may lack a field, but a field that no
 * record has is an error (fields.h).
 *
 * Half a surrogate pair, for example "\ud800", becomes U+FFFD and counts as one
 * invalid byte.
 */
#include <jansson.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/json.h"
#include "base/utf8.h"
#include "base/watch.h"
#include "cooc.h"
#include "read/format.h"
#include "read/input.h"

struct jsonl_state {
    bool any_id; /* some record has the id field */
};

/* What was found at a path.  A field that is null or [] is not misspelt. */
enum { NOTHING = 0, HAS_TEXT = 1, IS_THERE = 2 };

static bool is_number(const json_t *v)
{
    return json_is_string(v) && *json_string_value(v) == JSON_NUMBER_MARK;
}

/* Append the string or number v.  Numbers are terms, but not text. */
static int add_scalar(struct input *in, const struct field *field,
                      const json_t *v, struct cooc_err *err)
{
    size_t skip = is_number(v); /* the length of JSON_NUMBER_MARK */
    int rc;

    if (skip && !in->options->split)
        return NOTHING;
    rc = input_add_value(in, field, json_string_value(v) + skip,
                         json_string_length(v) - skip, err);
    return rc < 0 ? rc : HAS_TEXT;
}

/* Append all strings of a field at path[0..len) below v; returns what was
 * found. */
static int add_path(struct input *in, const struct field *field,
                    const json_t *v, const char *path, size_t len,
                    struct cooc_err *err)
{
    const char *dot;
    const json_t *item;
    size_t i, n;
    int found = NOTHING, rc;

    if (json_is_array(v)) {
        if (len == 0 && json_array_size(v) == 0)
            return IS_THERE;
        json_array_foreach(v, i, item)
        {
            rc = add_path(in, field, item, path, len, err);
            if (rc < 0)
                return rc;
            found |= rc;
        }
        return found;
    }
    if (len == 0 && json_is_string(v))
        return add_scalar(in, field, v, err);
    if (len == 0 && json_is_null(v))
        return IS_THERE;
    if (len == 0 || !json_is_object(v))
        return 0;
    item = json_object_getn(v, path, len); /* a name may contain a dot */
    if (item)
        return add_path(in, field, item, "", 0, err);
    dot = memchr(path, '.', len);
    if (!dot)
        return 0;
    n = (size_t)(dot - path);
    item = json_object_getn(v, path, n);
    return item ? add_path(in, field, item, dot + 1, len - n - 1, err) : 0;
}

static int add_fields(struct input *in, const json_t *record,
                      struct cooc_err *err)
{
    struct fields *f = &in->fields;

    for (size_t i = 0; i < f->n; i++) {
        const struct field *field = &f->items[i];
        int rc = add_path(in, field, record, field->name, field->len, err);
        bool trimmed = rc == 0 && field->trimmed_len < field->len;

        if (trimmed)
            rc = add_path(in, field, record, field->trimmed,
                          field->trimmed_len, err);
        if (rc > 0)
            rc = fields_saw(f, i, trimmed, rc & HAS_TEXT, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Name the document by its id, or by its line if it has no id. */
static int set_document_name(struct jsonl_state *s, struct input *in,
                             const json_t *record, struct cooc_err *err)
{
    const struct cooc_index_options *o = in->options;
    const char *path = o->group_by   ? o->group_by
                       : o->id_field ? o->id_field
                                     : "id";
    const json_t *v = json_object_get(record, path);
    size_t skip; /* length of JSON_NUMBER_MARK, or 0 */
    int rc;

    while (!v && json_is_object(record) && strchr(path, '.')) {
        size_t n = strcspn(path, ".");

        record = json_object_getn(record, path, n);
        path += n + 1;
        v = json_object_get(record, path);
    }
    if (!json_is_string(v))
        return o->group_by
                   ? input_bad_record(in, in->text.line, err,
                                      "the record has no '%.80s' to group by",
                                      o->group_by)
                   : 0;
    skip = is_number(v);
    rc = buf_add(&in->label, json_string_value(v) + skip,
                 json_string_length(v) - skip, err);
    s->any_id = true;
    input_label(in);
    return rc;
}

/* Offer the fields of a record, and those of objects in it, as users would name
 * them. */
static int offer_fields(struct fields *f, json_t *record, struct cooc_err *err)
{
    struct buf name = { 0 };
    const char *key, *inner;
    json_t *v, *w;
    int rc = 0;

    json_object_foreach(record, key, v)
    {
        if (rc == 0)
            rc = fields_offer(f, key, strlen(key), err);
        json_object_foreach(v, inner, w)
        {
            name.len = 0;
            if (rc == 0)
                rc = buf_printf(&name, err, "%s.%s", key, inner);
            if (rc == 0)
                rc = fields_offer(f, name.data, name.len, err);
        }
    }
    buf_release(&name);
    return rc;
}

/* The line is an array, which may be the whole file, or something else that is
 * not an object. */
static int not_object(struct input *in, const json_t *found,
                      struct cooc_err *err)
{
    if (found && !json_is_array(found))
        return input_bad_record(in, in->text.line, err,
                                "expected one JSON object per line, found a "
                                "single value");
    if (in->text.line > 1 || in->options->skip_bad)
        return input_bad_record(in, in->text.line, err,
                                "expected one JSON object per line, found an "
                                "array");
    return input_wrong(in, err,
                       "expected one JSON object per line, found an array; "
                       "convert it with: jq -c '.[]'");
}

static int parse(struct input *in, const char *line, size_t len, json_t **out,
                 struct cooc_err *err)
{
    json_error_t why;
    size_t replaced;
    int rc;

    if (!utf8_is_valid(line, len)) {
        in->scratch.len = 0;
        rc = utf8_repair(line, len, &in->scratch, &in->stats->invalid_bytes,
                         err);
        if (rc < 0)
            return rc;
        line = in->scratch.data;
        len = in->scratch.len;
    }
    *out = json_read_record(line, len, &replaced, &why);
    in->stats->invalid_bytes += replaced;
    if (json_is_object(*out))
        return 0;
    if (!*out && json_out_of_memory(&why))
        return err_nomem(err);
    ascii_trim(&line, &len, ASCII_SPACE);
    if (*out || (len && *line == '['))
        return not_object(in, *out, err);
    if (len == 1 && *line == '{' && !in->options->skip_bad)
        return input_wrong(in, err,
                           "expected one JSON object per line, found one that "
                           "spans lines; convert it with: jq -c .");
    return input_bad_record(in, in->text.line, err,
                            "malformed JSON at column %d: %s", why.column,
                            why.text);
}

static bool is_blank_line(const char *line, size_t len)
{
    ascii_trim(&line, &len, " \t");
    return !len;
}

static int next_jsonl(struct input *in, struct cooc_err *err)
{
    struct jsonl_state *s = in->state;
    json_t *record = NULL;
    const char *line;
    size_t len;
    int rc;

    do
        rc = text_line(&in->text, &line, &len, err);
    while (rc > 0 && is_blank_line(line, len));
    if (rc <= 0)
        return rc;
    rc = parse(in, line, len, &record, err);
    if (rc == 0 && fields_want_names(&in->fields))
        rc = offer_fields(&in->fields, record, err);
    if (rc == 0)
        rc = add_fields(in, record, err);
    if (rc == 0)
        rc = fields_record(&in->fields, in->watch, err);
    if (rc == 0)
        rc = set_document_name(s, in, record, err);
    json_decref(record);
    return rc < 0 ? rc : 1;
}

static int begin_jsonl(struct input *in, struct cooc_err *err)
{
    const char *fields = in->options->text_fields;

    return fields_begin(&in->fields, fields ? fields : "text",
                        in->options->split != NULL, err);
}

static void finish_jsonl(struct input *in)
{
    const struct jsonl_state *s = in->state;

    if (in->options->id_field && in->fields.records && !s->any_id)
        watch_warn(in->watch,
                   "no record has a name in the id field '%.80s'; documents "
                   "are named by file and line", in->options->id_field);
}

const struct format format_jsonl = {
    .name = "jsonl",
    .uses = USE_FIELDS | USE_ID | USE_SPLIT | USE_GROUP,
    .cut = CUT_LINES,
    .state_size = sizeof(struct jsonl_state),
    .begin = begin_jsonl,
    .next = next_jsonl,
    .finish = finish_jsonl,
};
