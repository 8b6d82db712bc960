/* settings.h - the index options of a store: record, compare and reuse them.
 *
 * The manifest contains the options as a JSON object.  Stores can be merged if
 * every document would have given the same terms in each of them.
 */
#ifndef COOC_SETTINGS_H
#define COOC_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>

#include "cooc_build.h"
#include "store/manifest.h"

struct index_rules;

/* Record the options, and the rules that resulted from them, in m. */
int settings_write(struct manifest *m, const struct cooc_index_options *o,
                   const struct index_rules *how, struct cooc_err *err);

/* Read the settings from member j of the manifest.  False if j is malformed. */
bool settings_read(struct manifest *m, json_t *j);

/* Check whether the store can be merged at all.  COOC_EINVAL, with the reason,
 * if terms were dropped that might have been kept in a larger collection. */
int settings_unitable(const struct manifest *m, const char *path,
                      struct cooc_err *err);

/* Compare the settings of two stores.  COOC_EINVAL, naming the
 * option that differs. */
int settings_compare(const struct manifest *a, const char *a_path,
                     const struct manifest *b, const char *b_path,
                     struct cooc_err *err);

/* The filters of a merge, applied to the settings of the merged stores: a new
 * value in *out for json_decref(). */
int settings_filter(json_t **out, const json_t *settings,
                    const struct cooc_merge_options *o, const char *terms_hash,
                    struct cooc_err *err);

/* The lists that a store was made with.  The store contains the stop list, the
 * thesaurus and the phrases, but only a hash of the list of terms. */
struct settings_lists {
    bool stop, thesaurus, phrases;
    bool terms; /* list of terms to keep */
};

/* Set *o to the options that made the store, except for its lists.  o->stem
 * points into m. */
int settings_options(const struct manifest *m, const char *path,
                     struct cooc_index_options *o,
                     struct settings_lists *lists, struct cooc_err *err);

#endif
