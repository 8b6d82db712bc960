/* reading_note.c - write, compare and apply the note of how files were read. */
#include "store/reading_note.h"

#include <string.h>

#include "base/err.h"
#include "read/format.h"
#include "read/reading.h"
#include "store/manifest.h"

#define FORMAT "format"
#define MIXED "mixed"

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

/* Whether both notes, which may be NULL, have the same options. */
static bool differ_only_in_format(json_t *a, const json_t *b)
{
    size_t in_a = json_object_size(a) - !!json_object_get(a, FORMAT);
    size_t in_b = json_object_size(b) - !!json_object_get(b, FORMAT);
    const char *key;
    json_t *value;

    json_object_foreach(a, key, value)
    {
        if (strcmp(key, FORMAT) != 0 &&
            !json_equal(value, json_object_get(b, key)))
            return false;
    }
    return in_a == in_b;
}

static int drop_format(json_t **all)
{
    json_object_del(*all, FORMAT);
    if (!json_object_size(*all)) {
        json_decref(*all);
        *all = NULL;
    }
    return 0;
}

/* Options that documents do not have in common must not be used for others, and
 * neither must the rest of them. */
static int set_mixed(json_t **all, struct cooc_err *err)
{
    json_t *mixed = json_pack("{s:b}", MIXED, 1);

    if (!mixed)
        return err_nomem(err);
    json_decref(*all);
    *all = mixed;
    return 0;
}

int reading_note_unite(json_t **all, bool first, uint64_t before,
                       const struct manifest *of, struct cooc_err *err)
{
    if (first || (!before && of->documents)) {
        json_decref(*all);
        *all = of->reading ? json_copy(of->reading) : NULL;
        return of->reading && !*all ? err_nomem(err) : 0;
    }
    if (before && !of->documents) /* nothing was read */
        return 0;
    if (json_equal(*all, of->reading) || (!*all && !of->reading))
        return 0;
    return differ_only_in_format(*all, of->reading) ? drop_format(all)
                                                    : set_mixed(all, err);
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

int reading_note_require(const json_t *note, const char *store,
                         const struct cooc_index_options *given,
                         struct cooc_err *err)
{
    if (!json_is_true(json_object_get(note, MIXED)))
        return 0;
    for (size_t i = 0; i < READING_OPTIONS; i++)
        if (reading_value(given, i) &&
            strcmp(reading_options[i].name, "encoding") != 0)
            return 0;
    return err_path_option(err, COOC_EINVAL, store, FORMAT,
                           "has documents that were read with different "
                           "options, so it is not known how to read these; "
                           "give the format and all options for them");
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
