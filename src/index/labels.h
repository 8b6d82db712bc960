/* labels.h - the names that people see and type.
 *
 * Where words were stemmed, a term is shown by its label, its most frequent
 * surface form, and found by any of its forms; elsewhere by its own name.
 */
#ifndef COOC_LABELS_H
#define COOC_LABELS_H

#include "index/collection.h"

/* The name of a term as it is shown. */
int collection_label(const struct collection *c, uint32_t term,
                     const char **name, size_t *len, struct cooc_err *err);

/* A form with its term and its tokens; form < n_forms. */
struct form {
    const char *name;
    size_t len;
    uint32_t term;
    uint64_t tokens;
};
int collection_form(const struct collection *c, uint32_t form,
                    struct form *out, struct cooc_err *err);

/* The form that is the label of a term; only with labels. */
int collection_label_form(const struct collection *c, uint32_t term,
                          uint32_t *at, struct form *out,
                          struct cooc_err *err);

/* Names in byte order: all forms, or without labels all terms. */
uint32_t collection_names(const struct collection *c);
/* The first place with a name that is not less than name[0..len). */
int collection_name_search(const struct collection *c, const char *name,
                           size_t len, uint32_t *at, struct cooc_err *err);
/* The term at that place; *shown if it is shown under the name there. */
int collection_name_at(const struct collection *c, uint32_t at, uint32_t *term,
                       bool *shown, struct cooc_err *err);

/* The term that is shown as name, or has it as a form. */
int collection_find(const struct collection *c, const char *name, size_t len,
                    uint32_t *term, int *found, struct cooc_err *err);

#endif
