/* reading_note.h - the note in a store of how its files were read.
 *
 *     "reading": { "format": "jsonl", "text_fields": "title,body" }
 *
 * Documents that are added are read in the same way, unless the caller says
 * otherwise.  The note has the options about files that were set, except paths,
 * and the format, if all documents were in the same one.  It is not among the
 * settings: stores with different notes can be merged.  If their options
 * differ, the note of the result is { "mixed": true }, and nothing can be added
 * unless the caller says how to read it.
 */
#ifndef COOC_READING_NOTE_H
#define COOC_READING_NOTE_H

#include <jansson.h>
#include <stdbool.h>

#include "cooc_build.h"

struct cooc_err;
struct manifest;

/* Set *out to the note of documents that were read with these options, NULL if
 * there is nothing to note.  The caller frees it with json_decref(). */
int reading_note_make(json_t **out, const struct cooc_index_options *o,
                      const struct cooc_index_report *report,
                      struct cooc_err *err);

/* Whether j, which may be NULL, is a valid note. */
bool reading_note_check(const json_t *j);

/* Change *all into the note of a store that has the documents of another store,
 * too.  before: number of documents of the stores united so far; first: there
 * are none. */
int reading_note_unite(json_t **all, bool first, uint64_t before,
                       const struct manifest *of, struct cooc_err *err);

/* COOC_EINVAL if the documents of the store were read in different ways and the
 * caller does not say how to read new ones. */
int reading_note_require(const json_t *note, const char *store,
                         const struct cooc_index_options *given,
                         struct cooc_err *err);

/* Set the options in *o that the note has and that the caller has not given.
 * Strings point into the note.  Return the format of the documents, or NULL if
 * it is given or unknown; it is not set in *o, so that files are still
 * recognised and can be compared with it. */
const char *reading_note_apply(const json_t *note,
                               const struct cooc_index_options *given,
                               struct cooc_index_options *o);

#endif
