/* fields.c - requested text fields, and which of them occur in the input. */
#include "read/fields.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/utf8.h"
#include "base/watch.h"

#define NAMES_RECORDS 100 /* records from which names are collected */
#define NAMES_BYTES 250   /* of names in a message, which has room for 512
                           * bytes */
#define MISSING_BYTES 120 /* of missing fields in a message */

struct field field_of(const char *name, size_t len, bool typed)
{
    struct field f = { 0 };
    const char *equals = typed && len ? memchr(name, '=', len) : NULL;

    if (equals) {
        f.prefix = name;
        f.prefix_len = (size_t)(equals - name);
        ascii_trim(&f.prefix, &f.prefix_len, ASCII_SPACE);
        len -= (size_t)(equals + 1 - name);
        name = equals + 1;
    }
    f.name = f.trimmed = name;
    f.len = f.trimmed_len = len;
    ascii_trim(&f.trimmed, &f.trimmed_len, ASCII_SPACE);
    return f;
}

static int add_field(struct fields *f, const char *name, size_t len,
                     bool typed, struct cooc_err *err)
{
    struct field new = field_of(name, len, typed);
    int rc;

    if (!new.trimmed_len && !new.prefix)
        return 0;
    if (!new.trimmed_len)
        return err_option(err, COOC_EINVAL, "text_fields",
                          "the name of a field is missing after '%.*s'; write "
                          "PREFIX=FIELD, as in au=authors",
                          (int)(len < 60 ? len : 60), name);
    rc = array_grow(&f->items, &f->cap, f->n + 1, sizeof new, err);
    if (rc == 0)
        f->items[f->n++] = new;
    return rc;
}

/* Add the names of one list. */
static int add_list(struct fields *f, const char *list, size_t len, bool typed,
                    struct cooc_err *err)
{
    const char *end = list + len;
    int rc = 0;

    while (rc == 0 && list < end) {
        const char *comma = memchr(list, ',', (size_t)(end - list));

        if (!comma)
            comma = end;
        f->untyped |= !typed && memchr(list, '=', (size_t)(comma - list));
        rc = add_field(f, list, (size_t)(comma - list), typed, err);
        list = comma + (comma < end);
    }
    return rc;
}

int fields_begin_known(struct fields *f, const char *lists, bool typed,
                       is_field_name *is_name, const void *self,
                       struct cooc_err *err)
{
    const char *list = lists;
    int rc = 0;

    if (f->n)
        return 0;
    while (rc == 0 && *list) {
        size_t len = strcspn(list, "\n");
        struct field whole = field_of(list, len, typed);

        if (is_name && is_name(self, list, len))
            rc = add_field(f, list, len, false, err);
        else if (is_name && whole.prefix &&
                 is_name(self, whole.name, whole.len))
            rc = add_field(f, list, len, true, err);
        else
            rc = add_list(f, list, len, typed, err);
        list += len + (list[len] == '\n');
    }
    if (rc == 0 && !f->n)
        return err_option(err, COOC_EINVAL, "text_fields",
                          "a name is missing in the text fields '%.60s'; "
                          "separate names by commas, as in title,abstract",
                          lists);
    return rc;
}

int fields_begin(struct fields *f, const char *lists, bool typed,
                 struct cooc_err *err)
{
    return fields_begin_known(f, lists, typed, NULL, NULL, err);
}

int fields_saw(struct fields *f, size_t i, bool trimmed, bool text,
               struct cooc_err *err)
{
    struct field *field = &f->items[i];

    f->any_text = f->any_text || text;
    if (field->seen && field->len == field->trimmed_len)
        return 0; /* the common case */
    field->seen = true;
    return trimmed
               ? name_list_add(&f->seen, field->trimmed, field->trimmed_len,
                               err)
               : name_list_add(&f->seen, field->name, field->len, err);
}

bool fields_want_names(const struct fields *f)
{
    return f->records < NAMES_RECORDS;
}

int fields_offer(struct fields *f, const char *name, size_t len,
                 struct cooc_err *err)
{
    if (!len || f->names.len + len > NAMES_BYTES || memchr(name, 0, len))
        return 0;
    return name_list_add(&f->names, name, len, err);
}

/* List the fields that no record has, as in "a", "b"; an empty string if there
 * are none.  in_known: list only fields that are in known, otherwise only
 * fields that are not. */
static int list_missing(const struct fields *f, const struct buf *known,
                        bool in_known, struct buf *out, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < f->n && rc == 0; i++) {
        const struct field *field = &f->items[i];
        bool is_known =
            known &&
            (name_list_has(known, field->trimmed, field->trimmed_len) ||
             name_list_has(known, field->name, field->len));

        if ((field->seen && f->any_text) || is_known != in_known)
            continue;
        if (out->len > MISSING_BYTES) {
            rc = buf_printf(out, err, ", ...");
            break;
        }
        rc = buf_printf(out, err, "%s\"%.*s\"", out->len ? ", " : "",
                        field->trimmed_len < 80 ? (int)field->trimmed_len : 80,
                        field->trimmed);
    }
    return rc < 0 ? rc : buf_text(out, err);
}

/* List the names that records have, as in "id, title, text". */
static int list_names(const struct fields *f, struct buf *out,
                      struct cooc_err *err)
{
    const char *name = NULL;
    int rc = 0;

    while (rc == 0 && (name = name_list_next(&f->names, name)) != NULL)
        rc = buf_printf(out, err, "%s%s", out->len ? ", " : "", name);
    if (rc == 0 && !out->len)
        rc = buf_printf(out, err, "none");
    return rc < 0 ? rc : buf_text(out, err);
}

int fields_record(struct fields *f, struct watch *watch, struct cooc_err *err)
{
    struct buf missing = { 0 }, names = { 0 };
    bool any_text = f->any_text;
    int rc;

    if (++f->records != FIELDS_SOON)
        return 0;
    f->any_text = true; /* a field that is empty so far is not misspelt */
    rc = list_missing(f, NULL, false, &missing, err);
    f->any_text = any_text;
    if (rc == 0)
        rc = list_names(f, &names, err);
    if (rc == 0 && missing.len)
        watch_warn(watch,
                   "none of the first %d records has text in the field %s; "
                   "the fields are: %s", FIELDS_SOON, missing.data, names.data);
    buf_release(&missing);
    buf_release(&names);
    return rc;
}

int fields_finish(struct fields *f, const struct buf *known,
                  struct watch *watch, struct cooc_err *err)
{
    struct buf missing = { 0 }, old = { 0 }, names = { 0 };
    int rc;

    if (!f->records)
        return 0;
    rc = list_missing(f, known, false, &missing, err);
    if (rc == 0)
        rc = list_missing(f, known, true, &old, err);
    if (rc == 0)
        rc = list_names(f, &names, err);
    if (rc == 0 && missing.len && f->untyped)
        rc = err_option(err, COOC_EINVAL, "split",
                        "no record has text in the field %s; to begin each "
                        "term of a field with a prefix, split the fields into "
                        "terms; the fields are: %s", missing.data, names.data);
    else if (rc == 0 && missing.len)
        rc = err_option(err, COOC_EINVAL, "text_fields",
                        "no record has text in the field %s; choose one of "
                        "these fields: %s", missing.data, names.data);
    if (rc == 0 && old.len)
        watch_warn(watch,
                   "no new record has text in the field %s; the fields are: %s",
                   old.data, names.data);
    buf_release(&missing);
    buf_release(&old);
    buf_release(&names);
    return rc;
}

/* Add a name as the user wrote it, but valid UTF-8, to a list. */
static int list_add(struct buf *list, const struct field *field,
                    struct cooc_err *err)
{
    struct buf valid = { 0 };
    uint64_t replaced = 0;
    int rc = utf8_repair(field->name, field->len, &valid, &replaced, err);

    if (rc == 0)
        rc = name_list_add(list, valid.len ? valid.data : "", valid.len, err);
    buf_release(&valid);
    return rc;
}

int fields_finish_part(const struct fields *f, struct buf *asked,
                       struct buf *missing, struct watch *watch,
                       struct cooc_err *err)
{
    struct buf none = { 0 }, names = { 0 };
    int rc = list_missing(f, NULL, false, &none, err);

    if (rc == 0)
        rc = list_names(f, &names, err);
    if (rc == 0 && f->records && none.len)
        watch_warn(watch,
                   "no record of this part has text in the field %s; the "
                   "fields are: %s", none.data, names.data);
    for (size_t i = 0; i < f->n && rc == 0; i++) {
        rc = list_add(asked, &f->items[i], err);
        if (rc == 0 && !f->items[i].seen)
            rc = list_add(missing, &f->items[i], err);
    }
    buf_release(&none);
    buf_release(&names);
    return rc;
}

void fields_release(struct fields *f)
{
    mem_free(f->items);
    buf_release(&f->seen);
    buf_release(&f->names);
    *f = (struct fields){ 0 };
}
