/* table.c - rows of a table as documents.
 *
 * Cost.  Per row: splitting it (csv.c) and copying its text columns.
 */
#include "read/table.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "read/fields.h"
#include "read/input.h"

#define LIST_BYTES 300 /* of columns in a message */

/* ---- columns ------------------------------------------------------------- */

static const char *column_name(const struct table *t, size_t i, size_t *len)
{
    size_t from = i ? t->ends[i - 1] : 0;

    *len = t->ends[i] - from;
    return *len ? t->names.data + from : "";
}

static bool same(const char *a, size_t a_len, const char *b, size_t b_len)
{
    ascii_trim(&a, &a_len, ASCII_SPACE);
    return a_len == b_len && !memcmp(a, b, a_len);
}

/* The first column of that name from column i on, or n_columns. */
static size_t find_name(const struct table *t, size_t i, const char *name,
                        size_t len)
{
    size_t n;

    if (!t->has_names)
        return t->n_columns;
    ascii_trim(&name, &len, ASCII_SPACE);
    for (; i < t->n_columns; i++) {
        const char *column = column_name(t, i, &n);

        if (same(column, n, name, len))
            break;
    }
    return i;
}

/* The column that a name or a number means, or n_columns. */
static size_t find_column(const struct table *t, const char *name, size_t len)
{
    size_t i = find_name(t, 0, name, len), number = 0;

    ascii_trim(&name, &len, ASCII_SPACE);
    if (i < t->n_columns || !len || len > 9)
        return i;
    for (size_t k = 0; k < len; k++) {
        if (name[k] < '0' || name[k] > '9')
            return i;
        number = number * 10 + (size_t)(name[k] - '0');
    }
    return number >= 1 && number <= t->n_columns ? number - 1 : i;
}

static bool is_column(const void *self, const char *name, size_t len)
{
    const struct table *t = self;

    return find_name(t, 0, name, len) < t->n_columns;
}

/* List the columns for a message, as in "id, title, abstract". */
static int list_columns(const struct table *t, struct buf *out,
                        struct cooc_err *err)
{
    int rc = 0;

    if (!t->has_names)
        return buf_printf(out, err, "1 to %zu", t->n_columns);
    for (size_t i = 0; i < t->n_columns && rc == 0; i++) {
        size_t len;
        const char *name = column_name(t, i, &len);

        if (out->len + len > LIST_BYTES) {
            rc = buf_printf(out, err, ", ...");
            break;
        }
        rc = buf_printf(out, err, "%s%.*s", i ? ", " : "", (int)len, name);
    }
    return rc < 0 ? rc : buf_text(out, err);
}

static int no_column(const struct table *t, struct input *in,
                     const char *option, const char *name, size_t len,
                     struct cooc_err *err)
{
    struct buf list = { 0 };
    int rc = list_columns(t, &list, err);

    in->unfit = rc == 0;
    if (rc == 0 && name && in->fields.untyped && memchr(name, '=', len))
        rc = err_path_option(err, COOC_EINVAL, in->name, "split",
                             "has no column '%.*s'; to begin each term of a "
                             "column with a prefix, split the columns into "
                             "terms; the columns are: %s",
                             len < 80 ? (int)len : 80, name, list.data);
    else if (rc == 0 && name)
        rc = err_path_option(err, COOC_EINVAL, in->name, option,
                             "has no column '%.*s'; the columns are: %s",
                             len < 80 ? (int)len : 80, name, list.data);
    else if (rc == 0)
        rc = err_path_option(err, COOC_EINVAL, in->name, option,
                             "name the columns to read text from; the "
                             "columns are: %s", list.data);
    buf_release(&list);
    return rc;
}

/* Set *column to the column that an option names. */
static int find_option(const struct table *t, struct input *in,
                       const char *option, const char *name, size_t len,
                       size_t *column, struct cooc_err *err)
{
    size_t again;

    *column = find_column(t, name, len);
    if (*column == t->n_columns)
        return no_column(t, in, option, name, len, err);
    again = find_name(t, *column + 1, name, len);
    if (again == t->n_columns)
        return 0;
    in->unfit = true;
    return err_path_option(err, COOC_EINVAL, in->name, option,
                           "has several columns '%.*s', for example %zu and "
                           "%zu; give the number of the column",
                           len < 80 ? (int)len : 80, name, *column + 1,
                           again + 1);
}

static int offer_columns(const struct table *t, struct fields *f,
                         struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; t->has_names && i < t->n_columns && rc == 0; i++) {
        size_t len;
        const char *name = column_name(t, i, &len);

        rc = fields_offer(f, name, len, err);
    }
    return rc;
}

static int find_columns(struct table *t, struct input *in,
                        struct cooc_err *err)
{
    const struct cooc_index_options *o = in->options;
    struct fields *f = &in->fields;
    int rc;

    if (!o->text_fields)
        return no_column(t, in, "text_fields", NULL, 0, err);
    rc = offer_columns(t, f, err);
    if (rc == 0)
        rc = fields_begin_known(f, o->text_fields, o->split != NULL, is_column,
                                t, err);
    if (rc == 0)
        rc = array_grow(&t->texts, &t->texts_cap, f->n, sizeof *t->texts, err);
    for (size_t i = 0; i < f->n && rc == 0; i++) {
        const struct field *field = &f->items[i];

        rc = find_option(t, in, "text_fields", field->trimmed,
                         field->trimmed_len, &t->texts[i], err);
    }
    if (rc < 0)
        return rc;
    t->id = find_name(t, 0, "id", 2);
    if (o->group_by)
        return find_option(t, in, "group_by", o->group_by, strlen(o->group_by),
                           &t->id, err);
    return o->id_field ? find_option(t, in, "id_field", o->id_field,
                                     strlen(o->id_field), &t->id, err) : 0;
}

/* ---- the header ---------------------------------------------------------- */

/* Take the current row as the names of the columns. */
static int take_names(struct table *t, struct cooc_err *err)
{
    int rc = array_grow(&t->ends, &t->ends_cap, t->csv.n, sizeof *t->ends, err);

    t->names.len = 0;
    for (size_t i = 0; i < t->csv.n && rc == 0; i++) {
        const char *name;
        size_t len;

        rc = csv_text(&t->csv, i, &t->value, &name, &len, err);
        if (rc == 0)
            rc = buf_add(&t->names, name, len, err);
        t->ends[i] = t->names.len;
    }
    return rc;
}

int table_begin(struct table *t, struct input *in, char delimiter, bool quotes,
                struct cooc_err *err)
{
    int rc;

    t->csv.delimiter = delimiter;
    t->csv.no_quotes = !quotes;
    t->n_columns = 0;
    t->has_names = !in->options->no_header;
    rc = csv_next(&t->csv, in, err);
    in->bad_record = false; /* without its header, the entry is useless */
    if (rc <= 0)
        return rc;
    t->n_columns = t->csv.n;
    t->ahead = !t->has_names;
    rc = t->has_names ? take_names(t, err) : 0;
    return rc < 0 ? rc : find_columns(t, in, err);
}

bool table_is_named(const char *text_fields, bool typed, const char *line,
                    size_t len, char delimiter)
{
    const char *end = line + len;

    for (const char *at = line;; at++) {
        const char *stop = memchr(at, delimiter, (size_t)(end - at));
        size_t n = (size_t)((stop ? stop : end) - at);

        for (const char *list = text_fields; n && *list;) {
            size_t whole = strcspn(list, "\n"), part = strcspn(list, ",\n");
            struct field f = field_of(list, part, typed);

            if (same(at, n, list, whole) ||
                same(at, n, f.trimmed, f.trimmed_len))
                return true;
            list += part + (list[part] != '\0');
        }
        if (!stop)
            return false;
        at = stop;
    }
}

/* ---- rows ---------------------------------------------------------------- */

static int add_value(struct table *t, struct input *in, size_t i,
                     struct cooc_err *err)
{
    const char *text;
    size_t len;
    int rc = csv_text(&t->csv, t->texts[i], &t->value, &text, &len, err);

    if (rc == 0 && len)
        rc = input_add_value(in, &in->fields.items[i], text, len, err);
    return rc < 0 ? rc : fields_saw(&in->fields, i, true, len > 0, err);
}

static int add_name(struct table *t, struct input *in, struct cooc_err *err)
{
    const char *name;
    size_t len;
    int rc;

    if (t->id == t->n_columns)
        return input_name(in, t->csv.line, err);
    rc = csv_text(&t->csv, t->id, &in->label, &name, &len, err);
    if (rc < 0)
        return rc;
    if (!len && in->options->group_by)
        return input_bad_record(in, t->csv.line, err,
                                "the row has no value to group by");
    if (!len)
        return input_name(in, t->csv.line, err);
    in->doc.name = name;
    in->doc.name_len = len;
    return 0;
}

/* The row does not have as many fields as there are columns. */
static int ragged(const struct table *t, struct input *in,
                  struct cooc_err *err)
{
    const char *fields = t->csv.n == 1 ? "field" : "fields";

    if (t->csv.no_quotes)
        return input_bad_record(in, t->csv.line, err,
                                "the row has %zu %s instead of %zu; a field "
                                "of a tsv file cannot contain a TAB or a line "
                                "end; if fields are in quotation marks, set "
                                "the format to csv",
                                t->csv.n, fields, t->n_columns);
    return input_bad_record(in, t->csv.line, err,
                            "the row has %zu %s instead of %zu; put a field "
                            "that contains the delimiter '%c' in quotation "
                            "marks",
                            t->csv.n, fields, t->n_columns, t->csv.delimiter);
}

int table_next(struct table *t, struct input *in, struct cooc_err *err)
{
    int rc = 1;

    if (!t->n_columns)
        return 0;
    if (!t->ahead)
        rc = csv_next(&t->csv, in, err);
    t->ahead = false;
    if (rc <= 0)
        return rc;
    if (t->csv.n != t->n_columns)
        return ragged(t, in, err);
    rc = 0;
    for (size_t i = 0; i < in->fields.n && rc == 0; i++)
        rc = add_value(t, in, i, err);
    if (rc == 0)
        rc = add_name(t, in, err);
    if (rc == 0)
        rc = fields_record(&in->fields, in->watch, err);
    return rc < 0 ? rc : 1;
}

void table_release(struct table *t)
{
    csv_release(&t->csv);
    buf_release(&t->names);
    buf_release(&t->value);
    mem_free(t->ends);
    mem_free(t->texts);
}
