/* settings.h - what indexing did to the documents of a store, compared and
 * done again.
 *
 * The manifest keeps the options of indexing as a JSON object.  Stores may be
 * united when each document would have become the same terms in any of them.
 */
#ifndef COOC_SETTINGS_H
#define COOC_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>

#include "cooc_build.h"
#include "store/manifest.h"

struct index_rules;

/* Describe the options of indexing, and what they led to, in m. */
int settings_write(struct manifest *m, const struct cooc_index_options *o,
                   const struct index_rules *how, struct cooc_err *err);

/* Take them from the manifest's member j; false: it is not well-formed. */
bool settings_read(struct manifest *m, json_t *j);

/* May the store be united with others at all?  COOC_EINVAL says why not:
 * terms were dropped that others would have kept. */
int settings_unitable(const struct manifest *m, const char *path,
                      struct cooc_err *err);

/* COOC_EINVAL and the difference by its option, if there is one. */
int settings_compare(const struct manifest *a, const char *a_path,
                     const struct manifest *b, const char *b_path,
                     struct cooc_err *err);

/* The lists that a store was made with; it keeps the first two. */
struct settings_lists {
    bool stop, thesaurus;
    bool terms; /* to keep; of these there is a hash */
};

/* Set the options that made the store, but for its lists; o->stem points into
 * m. */
int settings_options(const struct manifest *m, const char *path,
                     struct cooc_index_options *o,
                     struct settings_lists *lists, struct cooc_err *err);

#endif
