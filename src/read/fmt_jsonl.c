/* fmt_jsonl.c - a JSON object a line.
 *
 *     {"id": 7, "title": "Tea", "body": {"text": ["One.", "Two."]}}
 *
 * with text fields "title,body.text" is document 7, "Tea\nOne.\nTwo.".  A
 * dotted path goes into objects, and through arrays to each of their items.
 * A record may lack a field; but if no record has any of them, the user
 * asked for the wrong ones and is told which there are.
 *
 * jansson parses, after json_skim.c has taken the long strings out.  It
 * refuses half a surrogate pair, as in "\ud800", which other writers let
 * through; that becomes U+FFFD and counts as one invalid byte.
 */
#include <jansson.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/plain_json.h"
#include "cooc.h"
#include "read/format.h"
#include "read/input.h"
#include "read/json_skim.h"
#include "read/read.h"
#include "read/recode.h"

struct jsonl_state {
    bool any_text;      /* some record had one of the fields */
    char *first;        /* the first record's fields, and where it is */
    const char *fields; /* that were asked for */
    struct buf line;    /* repaired, if it was not valid */
    struct skim skim;   /* its long strings */
    struct input *in;   /* the entry at hand */
};

static const char *text_fields(const struct input *in)
{
    const char *fields = in->options->text_fields;

    return fields ? fields : "text";
}

static const char *id_field(const struct input *in)
{
    return in->options->id_field ? in->options->id_field : "id";
}

/* A string, and not a number that was taken out of the line. */
static bool is_text(const struct jsonl_state *s, const json_t *v)
{
    return json_is_string(v) &&
           !skim_is_number(&s->skim, json_string_value(v),
                           json_string_length(v));
}

/* Add a line to the body. */
static int add_text(struct jsonl_state *s, const json_t *v,
                    struct cooc_err *err)
{
    struct input *in = s->in;
    size_t len = json_string_length(v);
    const char *text = skim_string(&s->skim, json_string_value(v), &len);
    int rc = input_room(in, len + 1, err);

    if (rc == 0 && in->body.len)
        rc = buf_byte(&in->body, '\n', err);
    return rc < 0 ? rc : buf_add(&in->body, text, len, err);
}

/* Add all strings at path[0..len) below v; 1 if there were some. */
static int add_path(struct jsonl_state *s, const json_t *v, const char *path,
                    size_t len, struct cooc_err *err)
{
    const char *dot;
    const json_t *item;
    size_t i, n;
    int found = 0, rc;

    if (json_is_array(v)) {
        json_array_foreach(v, i, item)
        {
            rc = add_path(s, item, path, len, err);
            if (rc < 0)
                return rc;
            found |= rc;
        }
        return found;
    }
    if (len == 0 && is_text(s, v)) {
        rc = add_text(s, v, err);
        return rc < 0 ? rc : 1;
    }
    if (len == 0 || !json_is_object(v))
        return 0;
    item = json_object_getn(v, path, len); /* a name may hold a dot */
    if (item)
        return add_path(s, item, "", 0, err);
    dot = memchr(path, '.', len);
    if (!dot)
        return 0;
    n = (size_t)(dot - path);
    item = json_object_getn(v, path, n);
    return item ? add_path(s, item, dot + 1, len - n - 1, err) : 0;
}

static int add_fields(struct jsonl_state *s, const json_t *record,
                      struct cooc_err *err)
{
    const char *path = text_fields(s->in);

    s->in->body.len = 0;
    for (;;) {
        size_t n = strcspn(path, ",");
        int rc = n ? add_path(s, record, path, n, err) : 0;

        if (rc < 0)
            return rc;
        s->any_text = s->any_text || rc > 0;
        if (!path[n])
            return 0;
        path += n + 1;
    }
}

/* Name the document by its id, or if it has none by its line. */
static int name_it(const struct jsonl_state *s, const json_t *record,
                   struct document *doc, struct cooc_err *err)
{
    struct input *in = s->in;
    const char *path = id_field(in);
    const json_t *v = json_object_get(record, path);
    int rc;

    while (!v && json_is_object(record) && strchr(path, '.')) {
        size_t n = strcspn(path, ".");

        record = json_object_getn(record, path, n);
        path += n + 1;
        v = json_object_get(record, path);
    }
    in->label.len = 0;
    if (json_is_string(v)) { /* or a number, as it is written */
        size_t len = json_string_length(v);
        const char *id = skim_string(&s->skim, json_string_value(v), &len);

        rc = buf_add(&in->label, id, len, err);
    } else if (json_is_integer(v))
        rc = buf_printf(&in->label, err, "%" JSON_INTEGER_FORMAT,
                        json_integer_value(v));
    else
        return input_name(in, in->lines.line, doc, err);
    doc->name = in->label.len ? in->label.data : "";
    doc->name_len = in->label.len;
    return rc;
}

/* Note what the first record has, in case nothing is ever found. */
static int note_first(struct jsonl_state *s, struct input *in, json_t *record,
                      struct cooc_err *err)
{
    struct buf b = { 0 };
    const char *key, *between = "";
    json_t *v;
    int rc;

    if (s->first)
        return 0;
    s->fields = text_fields(in);
    rc = buf_printf(&b, err, "%s:%llu has: ", in->name,
                    (unsigned long long)in->lines.line);
    json_object_foreach(record, key, v)
    {
        if (rc == 0 && b.len < 400)
            rc = buf_printf(&b, err, "%s%s", between, key);
        between = ", ";
    }
    if (rc == 0)
        rc = buf_text(&b, err);
    if (rc < 0)
        buf_release(&b);
    s->first = b.data;
    return rc;
}

/* *out is what the line says, or NULL if jansson does not take it. */
static int load(struct jsonl_state *s, const char *line, size_t len,
                json_t **out, json_error_t *why, struct cooc_err *err)
{
    int rc = skim_line(&s->skim, line, len, err);

    if (rc < 0)
        return rc;
    if (rc > 0)
        *out = plain_json_load(s->skim.reduced.data, s->skim.reduced.len,
                               JSON_ALLOW_NUL, why);
    if (!*out) { /* the whole line, for its own sake or the message's */
        json_error_t of_line;

        s->skim.n = 0;
        *out = plain_json_load(line, len, JSON_ALLOW_NUL, &of_line);
        if (rc == 0 ||
            json_error_code(&of_line) != json_error_numeric_overflow)
            *why = of_line;
        else
            why->column = 0; /* it is of another line */
    }
    if (!*out && json_error_code(why) == json_error_out_of_memory)
        return err_nomem(err);
    return 0;
}

/* Once more, if there are escapes to mend. */
static int load_mended(struct jsonl_state *s, const char *line, size_t len,
                       json_t **out, json_error_t *why, struct cooc_err *err)
{
    size_t mended;
    int rc = 0;

    if (line != s->line.data) {
        s->line.len = 0;
        rc = buf_add(&s->line, line, len, err);
    }
    if (rc < 0)
        return rc;
    mended = json_mend_escapes(s->line.data, len);
    s->in->stats->invalid_bytes += mended;
    return mended ? load(s, s->line.data, len, out, why, err) : 0;
}

static int parse(struct jsonl_state *s, struct input *in, const char *line,
                 size_t len, json_t **out, struct cooc_err *err)
{
    json_error_t why;
    int rc;

    if (!utf8_is_valid(line, len)) {
        s->line.len = 0;
        rc = utf8_repair(line, len, &s->line, &in->stats->invalid_bytes, err);
        if (rc < 0)
            return rc;
        line = s->line.data;
        len = s->line.len;
    }
    rc = load(s, line, len, out, &why, err);
    if (rc == 0 && !*out)
        rc = load_mended(s, line, len, out, &why, err);
    if (rc < 0 || json_is_object(*out))
        return rc;
    if (line[strspn(line, " \t")] == '[')
        return input_wrong(in, err,
                           "an array, not an object a line (jq -c '.[]' "
                           "makes that of an array)");
    if (*out)
        return input_wrong(in, err, "not a JSON object");
    if (!why.column)
        return input_wrong(in, err, "malformed JSON: %s", why.text);
    return input_wrong(in, err, "malformed JSON at column %d: %s", why.column,
                       why.text);
}

static int next_jsonl(void *state, struct input *in, struct document *doc,
                      struct cooc_err *err)
{
    struct jsonl_state *s = state;
    json_t *record = NULL;
    const char *line;
    size_t len, blank;
    int rc;

    do {
        rc = line_reader_next(&in->lines, &line, &len, err);
        if (rc <= 0)
            return rc;
        for (blank = 0; blank < len; blank++)
            if (line[blank] != ' ' && line[blank] != '\t')
                break;
    } while (blank == len);
    s->in = in;
    rc = parse(s, in, line, len, &record, err);
    if (rc == 0)
        rc = note_first(s, in, record, err);
    if (rc == 0)
        rc = add_fields(s, record, err);
    if (rc == 0)
        rc = name_it(s, record, doc, err);
    json_decref(record);
    doc->text = in->body.len ? in->body.data : "";
    doc->text_len = in->body.len;
    return rc < 0 ? rc : 1;
}

static int finish_jsonl(void *state, struct cooc_err *err)
{
    const struct jsonl_state *s = state;

    if (s->any_text || !s->first)
        return 0;
    return err_set(err, COOC_EINVAL,
                   "no record has text in the field \"%.80s\"; %s "
                   "(--text-field names others)",
                   s->fields, s->first);
}

static void release_jsonl(void *state)
{
    struct jsonl_state *s = state;

    mem_free(s->first);
    buf_release(&s->line);
    skim_release(&s->skim);
}

const struct format format_jsonl = {
    .name = "jsonl",
    .summary = "a JSON object a line, its text in --text-field",
    .state_size = sizeof(struct jsonl_state),
    .next = next_jsonl,
    .finish = finish_jsonl,
    .release = release_jsonl,
};
