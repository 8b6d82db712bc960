/* reading_note.c - write, compare and apply the note of how files were read. */
#include "store/reading_note.h"

#include <string.h>

#include "base/err.h"
#include "read/format.h"
#include "read/reading.h"
#include "store/manifest.h"

#define FORMAT "format"

/* Options of which only one can be set. */
static const char *const exclusive[][2] = {
    { "header", "no_header" },
    { "group_by", "id_field" },
};

int reading_note_make(json_t **out, const struct cooc_index_options *o,
                      const struct cooc_index_report *report,
                      struct cooc_err *err)
{
    bool one = report->documents && !strchr(report->format, ',');
    json_t *j = *out = json_object();
    int rc = j ? 0 : -1;

    for (size_t i = 0; i < READING_OPTIONS && rc == 0; i++) {
        const struct reading_option *r = &reading_options[i];
        const char *value = reading_value(o, i);

        if (!strcmp(r->name, FORMAT) && !value && one)
            value = report->format;
        if (value && !r->is_path &&
            (reading_differs(o, i) || !strcmp(r->name, FORMAT)))
            rc = json_object_set_new(
                j, r->name, r->is_flag ? json_true() : json_string(value));
    }
    if (rc < 0 || !json_object_size(j)) {
        json_decref(j);
        *out = NULL;
    }
    return rc < 0 ? err_nomem(err) : 0;
}

bool reading_note_check(const json_t *j)
{
    if (j && !json_is_object(j))
        return false;
    for (size_t i = 0; j && i < READING_OPTIONS; i++) {
        const struct reading_option *r = &reading_options[i];
        const json_t *v = json_object_get(j, r->name);

        if (v && !(r->is_flag ? json_is_true(v) : json_is_string(v)))
            return false;
    }
    return true;
}

int reading_note_unite(json_t **all, bool first, uint64_t before,
                       const struct manifest *of, struct cooc_err *err)
{
    const char *key;
    json_t *value;
    void *next;

    if (first || (!before && of->documents)) {
        json_decref(*all);
        *all = of->reading ? json_copy(of->reading) : NULL;
        return of->reading && !*all ? err_nomem(err) : 0;
    }
    if (before && !of->documents) /* nothing was read */
        return 0;
    json_object_foreach_safe(*all, next, key, value)
    {
        if (!json_equal(value, json_object_get(of->reading, key)))
            json_object_del(*all, key);
    }
    if (!json_object_size(*all)) {
        json_decref(*all);
        *all = NULL;
    }
    return 0;
}

static bool is_set(const struct cooc_index_options *o, const char *name)
{
    size_t i = 0;

    while (strcmp(reading_options[i].name, name) != 0)
        i++;
    return reading_value(o, i) != NULL;
}

/* Has the caller given this option, or one that excludes it? */
static bool is_given(const struct cooc_index_options *given, const char *name)
{
    for (size_t i = 0; i < sizeof exclusive / sizeof exclusive[0]; i++)
        for (int side = 0; side < 2; side++)
            if (!strcmp(exclusive[i][side], name) &&
                is_set(given, exclusive[i][!side]))
                return true;
    return is_set(given, name);
}

/* Whether the option applies to the format, which may be unknown. */
static bool applies(size_t i, const char *format)
{
    const struct format *f;
    unsigned use = reading_options[i].use;

    return use == USE_ALWAYS || !format ||
           (format_find(&f, format, NULL) == 0 && f->uses & use);
}

const char *reading_note_apply(const json_t *note,
                               const struct cooc_index_options *given,
                               struct cooc_index_options *o)
{
    const char *format = json_string_value(json_object_get(note, FORMAT));

    if (given->format && format && strcmp(given->format, format) != 0)
        return NULL; /* another kind of file */
    for (size_t i = 0; i < READING_OPTIONS; i++) {
        const json_t *v = json_object_get(note, reading_options[i].name);

        if (!v || !strcmp(reading_options[i].name, FORMAT) ||
            is_given(given, reading_options[i].name) ||
            !applies(i, given->format ? given->format : format))
            continue;
        reading_set(o, i, json_string_value(v));
    }
    return given->format ? NULL : format;
}
