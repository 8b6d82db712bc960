/* reading.c - the table of options about files, and what they exclude. */
#include "read/reading.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/name_list.h"
#include "cooc_build.h"

#define OPTION(m, what, flag, use, path)                                     \
    { #m, what, offsetof(struct cooc_index_options, m), flag, use, path }
#define TEXT(m, what, use) OPTION(m, what, false, use, false)
#define FLAG(m, what, use) OPTION(m, what, true, use, false)

const struct reading_option reading_options[READING_OPTIONS] = {
    TEXT(format, "a format", USE_ALWAYS),
    TEXT(encoding, "an encoding", USE_ALWAYS),
    TEXT(text_fields, "text fields", USE_FIELDS),
    TEXT(id_field, "an id field", USE_ID),
    OPTION(vocab_file, "a vocabulary", false, USE_VOCAB, true),
    TEXT(separators, "separators", USE_SEPARATORS),
    FLAG(zero_based, "the first feature", USE_ZERO_BASED),
    TEXT(delimiter, "a delimiter", USE_TABLE),
    FLAG(header, "a header", USE_TABLE),
    FLAG(no_header, "a header", USE_TABLE),
    TEXT(split, "how to split fields", USE_SPLIT),
    TEXT(fold, "how to fold terms", USE_FOLD),
    TEXT(group_by, "a column to group by", USE_GROUP),
    TEXT(record, "a record element", USE_RECORD),
    TEXT(column, "a column of the annotation", USE_COLUMN),
    TEXT(pos, "parts of speech", USE_COLUMN),
};

static const void *member(const struct cooc_index_options *o, size_t i)
{
    return (const char *)o + reading_options[i].offset;
}

const char *reading_value(const struct cooc_index_options *o, size_t i)
{
    if (reading_options[i].is_flag)
        return *(const bool *)member(o, i) ? "1" : NULL;
    return *(const char *const *)member(o, i);
}

bool reading_differs(const struct cooc_index_options *o, size_t i)
{
    const char *value = reading_value(o, i);

    return value && (strcmp(reading_options[i].name, "encoding") != 0 ||
                     ascii_casecmp(value, "auto") != 0);
}

void reading_set(struct cooc_index_options *o, size_t i, const char *value)
{
    const struct reading_option *r = &reading_options[i];
    char *at = (char *)o + r->offset;

    if (r->is_flag)
        memcpy(at, &(bool){ true }, sizeof(bool));
    else
        memcpy(at, &value, sizeof value);
}

void reading_copy(struct cooc_index_options *to, size_t i,
                  const struct cooc_index_options *from)
{
    size_t size = reading_options[i].is_flag ? sizeof(bool) : sizeof(char *);

    memcpy((char *)to + reading_options[i].offset, member(from, i), size);
}

static int exclude(const char *a, const char *b, struct cooc_err *err)
{
    return err_option(err, COOC_EINVAL, a,
                      "%s and %s cannot be combined; leave one of them out", a,
                      b);
}

char reading_delimiter(const char *text)
{
    if (!text)
        return '\0';
    return !strcmp(text, "\\t") || !ascii_casecmp(text, "tab") ? '\t' : *text;
}

int reading_check(const struct cooc_index_options *o, struct cooc_err *err)
{
    const char *d = o->delimiter;
    bool one = d && (!d[0] || !d[1] || reading_delimiter(d) == '\t');

    if (d && (!one || !*d || *d == '"' || *d == '\r' || *d == '\n'))
        return err_option(err, COOC_EINVAL, "delimiter",
                          "the delimiter must be a single ASCII character "
                          "such as ',' or ';', or tab, not '%.20s'", d);
    if (o->header && o->no_header)
        return exclude("header", "no_header", err);
    if (o->fold && strcmp(o->fold, "case") != 0)
        return err_option(err, COOC_EINVAL, "fold",
                          "fold must be 'case', not '%.20s'", o->fold);
    if (o->fold && o->keep_case)
        return exclude("fold", "keep_case", err);
    if (o->group_by && o->id_field)
        return exclude("group_by", "id_field", err);
    if (o->group_by && o->parts)
        return err_option(err, COOC_EINVAL, "group_by",
                          "the rows of one document may be in different parts; "
                          "index all inputs together to group them");
    return 0;
}

/* Is option i set, although no format with these uses takes it? */
static bool is_unused(const struct cooc_index_options *o, unsigned used,
                      size_t i)
{
    const struct reading_option *r = &reading_options[i];

    if (o->split && used & USE_SPLIT)
        used |= USE_FOLD; /* split fields are folded in any case */
    return r->use != USE_ALWAYS && !(used & r->use) && reading_value(o, i);
}

int reading_check_used(const struct cooc_index_options *o, unsigned used,
                       const char *format, struct cooc_err *err)
{
    for (size_t i = 0; i < READING_OPTIONS; i++)
        if (is_unused(o, used, i))
            return err_option(err, COOC_EINVAL, reading_options[i].name,
                              "the choice of %s does not apply to this input, "
                              "which is in the format %s; leave the option "
                              "out, or set the format if it was recognised "
                              "wrongly", reading_options[i].what, format);
    return 0;
}

int reading_list_unused(const struct cooc_index_options *o, unsigned used,
                        struct buf *list, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < READING_OPTIONS && rc == 0; i++)
        if (is_unused(o, used, i))
            rc = name_list_add(list, reading_options[i].name,
                               strlen(reading_options[i].name), err);
    return rc;
}

int reading_refuse_unused(const char *name, struct cooc_err *err)
{
    for (size_t i = 0; i < READING_OPTIONS; i++)
        if (!strcmp(reading_options[i].name, name))
            return err_option(err, COOC_EINVAL, reading_options[i].name,
                              "the choice of %s does not apply to the inputs "
                              "of any part; index the parts again without "
                              "it", reading_options[i].what);
    return 0;
}
