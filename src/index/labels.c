/* labels.c - the names that users see: labels if words were stemmed, otherwise
 * the terms themselves.
 *
 * Files are not trusted: every number is checked before it is used.
 */
#include "index/labels.h"

#include <string.h>

#include "base/err.h"

/* Get integer i of a file of 32-bit integers; it must be below limit. */
static int get_u32(const struct collection *c, enum collection_file f,
                   uint32_t i, uint32_t limit, uint32_t *out,
                   struct cooc_err *err)
{
    const void *p;
    int rc = checked_file_get(c->files[f], (uint64_t)i * 4, 4, &p, err);

    if (rc < 0)
        return rc;
    *out = *(const uint32_t *)p;
    if (*out < limit)
        return 0;
    return err_path(err, COOC_EFORMAT, checked_file_path(c->files[f]),
                    "is damaged: number %u is out of range", i);
}

int collection_form(const struct collection *c, uint32_t form,
                    struct form *out, struct cooc_err *err)
{
    const void *p;
    int rc = collection_form_name(c, form, &out->name, &out->len, err);

    if (rc == 0)
        rc = get_u32(c, FILE_FORMS_TERM, form, c->n_terms, &out->term, err);
    if (rc == 0)
        rc = checked_file_get(c->files[FILE_FORMS_NUM], (uint64_t)form * 8, 8,
                              &p, err);
    if (rc == 0)
        out->tokens = *(const uint64_t *)p;
    return rc;
}

int collection_label(const struct collection *c, uint32_t term,
                     const char **name, size_t *len, struct cooc_err *err)
{
    uint32_t form;
    int rc;

    if (!c->labels || term >= c->n_terms)
        return collection_term(c, term, name, len, err);
    rc = get_u32(c, FILE_LABELS, term, c->n_forms, &form, err);
    return rc < 0 ? rc : collection_form_name(c, form, name, len, err);
}

int collection_label_form(const struct collection *c, uint32_t term,
                          uint32_t *at, struct form *out,
                          struct cooc_err *err)
{
    int rc = get_u32(c, FILE_LABELS, term, c->n_forms, at, err);

    return rc < 0 ? rc : collection_form(c, *at, out, err);
}

/* The name at a position in the byte order of all names. */
static int name_at(const struct collection *c, uint32_t at, const char **name,
                   size_t *len, struct cooc_err *err)
{
    return c->labels ? collection_form_name(c, at, name, len, err)
                     : collection_term_at(c, at, name, len, err);
}

int collection_name_search(const struct collection *c, const char *name,
                           size_t len, uint32_t *at, struct cooc_err *err)
{
    int found;

    return collection_search_by(c, name_at, collection_names(c), name, len,
                                at, &found, err);
}

uint32_t collection_names(const struct collection *c)
{
    return c->labels ? c->n_forms : c->n_terms;
}

int collection_name_at(const struct collection *c, uint32_t at, uint32_t *term,
                       bool *shown, struct cooc_err *err)
{
    uint32_t label;
    int rc;

    *shown = true;
    if (!c->labels)
        return collection_sorted(c, at, term, err);
    rc = get_u32(c, FILE_FORMS_TERM, at, c->n_terms, term, err);
    if (rc == 0)
        rc = get_u32(c, FILE_LABELS, *term, c->n_forms, &label, err);
    *shown = rc == 0 && label == at;
    return rc;
}

/* If stores were merged although their stemmers differ, several terms may have
 * the same form.  The term with this form as its label is preferred, then the
 * most frequent term. */
int collection_find(const struct collection *c, const char *name, size_t len,
                    uint32_t *term, int *found, struct cooc_err *err)
{
    uint32_t at, n = collection_names(c), first = UINT32_MAX;
    bool shown = false;
    int rc = collection_name_search(c, name, len, &at, err);

    *found = 0;
    for (; rc == 0 && at < n && !shown; at++) {
        const char *s;
        size_t m;

        rc = name_at(c, at, &s, &m, err);
        if (rc < 0 || m != len || memcmp(s, name, m) != 0)
            break;
        rc = collection_name_at(c, at, term, &shown, err);
        if (rc == 0 && first == UINT32_MAX)
            first = *term;
        *found = 1;
    }
    if (rc == 0 && *found && !shown)
        *term = first;
    return rc;
}
