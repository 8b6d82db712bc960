/* labels.h - the names that users see and type.
 *
 * If words were stemmed, a term is shown as its label, its most frequent
 * surface form, and can be found by any of its forms.  Otherwise a term is
 * shown and found by its own name.
 */
#ifndef COOC_LABELS_H
#define COOC_LABELS_H

#include "index/collection.h"

/* The name under which a term is shown: its label, or its own name. */
int collection_label(const struct collection *c, uint32_t term,
                     const char **name, size_t *len, struct cooc_err *err);

/* A surface form, its term and its number of tokens; form < n_forms. */
struct form {
    const char *name;
    size_t len;
    uint32_t term;
    uint64_t tokens;
};
int collection_form(const struct collection *c, uint32_t form,
                    struct form *out, struct cooc_err *err);

/* Get the form that is the label of a term, and its number in *at.  Only for
 * collections with labels. */
int collection_label_form(const struct collection *c, uint32_t term,
                          uint32_t *at, struct form *out,
                          struct cooc_err *err);

/* The number of names: of all forms, or of all terms if there are no labels. */
uint32_t collection_names(const struct collection *c);
/* Find the first position, in byte order of all names, with a name that is not
 * less than name[0..len). */
int collection_name_search(const struct collection *c, const char *name,
                           size_t len, uint32_t *at, struct cooc_err *err);
/* Get the term of the name at a position.  *shown: the term is shown
 * under this name. */
int collection_name_at(const struct collection *c, uint32_t at, uint32_t *term,
                       bool *shown, struct cooc_err *err);

/* Find the term that is shown as name or has name as a form. */
int collection_find(const struct collection *c, const char *name, size_t len,
                    uint32_t *term, int *found, struct cooc_err *err);

#endif
