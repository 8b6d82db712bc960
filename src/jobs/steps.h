/* steps.h - what commands are made of: indexing, counting and merging in a
 * directory that is the caller's.
 */
#ifndef COOC_STEPS_H
#define COOC_STEPS_H

#include "cooc.h"
#include "store/manifest.h"

struct stored_rows;
struct watch;

/* ---- index -------------------------------------------------------------- */

/* Make a store in dir, which exists and is empty; options are checked.  The
 * note (count_note.h) is put there too, unless it is NULL.  known_fields are
 * the text fields of the store that the documents are for, or NULL. */
int index_into(const char *const *inputs, size_t n, const char *dir,
               const struct cooc_index_options *o, const struct buf *note,
               const struct buf *known_fields,
               struct cooc_index_report *report, struct watch *watch,
               struct cooc_err *err);

/* The files of a collection are in dir, which m describes but for the numbers
 * in *r: write its manifest. */
int index_finish(struct manifest *m, const char *dir,
                 const struct cooc_index_report *r, struct cooc_err *err);

/* ---- count -------------------------------------------------------------- */

/* How the rows are made, other than by the options. */
struct rows_order {
    const struct stored_rows *stored; /* added up from these, or NULL */
    const char *name; /* of the store, for messages; NULL: its path */
    const char *force; /* what to type if the disk seems too small */
};

int count_options_check(const struct cooc_count_options *o,
                        struct cooc_err *err);

/* Make the rows of the store in dir, which the caller has locked; options are
 * checked. */
int count_rows_in(const char *dir, const struct cooc_count_options *o,
                  const struct rows_order *how,
                  struct cooc_count_report *report, struct cooc_err *err);

/* ---- merge -------------------------------------------------------------- */

/* What making rows will take, in nanoseconds on one thread. */
struct rows_cost {
    double sum;   /* adding up the rows of stores */
    double count; /* counting the united documents */
};

/* What a store adds to it.  One that is not counted must be, to add up its
 * rows, and has a pair for each increment at worst. */
void rows_cost_add(struct rows_cost *c, const struct manifest *m);

/* Do the options make sense? */
int merge_check(const struct cooc_merge_options *o, struct cooc_err *err);

/* Unite stores[0..n) into dir, which exists and is empty.  It is called
 * name in messages, and force is what to type if the disk seems too
 * small. */
int merge_into(const char *const *stores, size_t n, const char *dir,
               const char *name, const char *force,
               const struct cooc_merge_options *o,
               struct cooc_merge_report *report, struct cooc_err *err);

#endif
