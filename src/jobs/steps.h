/* steps.h - what commands are made of: indexing, counting and merging in a
 * directory that is the caller's.
 */
#ifndef COOC_STEPS_H
#define COOC_STEPS_H

#include "cooc_build.h"
#include "store/manifest.h"

struct index_input;
struct stored_rows;
struct watch;

/* ---- index -------------------------------------------------------------- */

/* Make a store in in->dir, as index_build() does; options are checked.  The
 * fingerprint (input_fingerprint.h) is put there too, unless it is NULL.
 * known_fields are the text fields of the store that the documents are for, or
 * NULL. */
int index_into(struct index_input *in, const struct cooc_index_options *o,
               const struct buf *fingerprint,
               const struct buf *known_fields,
               struct cooc_index_report *report, struct watch *watch,
               struct cooc_err *err);

/* The files of a collection are in dir, which m describes but for the numbers
 * in *r: write its manifest. */
int index_finish(struct manifest *m, const char *dir,
                 const struct cooc_index_report *r, struct cooc_err *err);

/* Documents for cooc_add() that are not in files. */
struct adding;
int adding_open(struct adding **out, const char *store,
                const struct cooc_add_options *options, struct cooc_err *err);
const struct cooc_index_options *adding_options(const struct adding *a);
/* Index the documents, merge and publish. */
int adding_run(struct adding *a, const struct index_input *from,
               struct cooc_err *err);
void adding_report(const struct adding *a, struct cooc_index_report *indexed,
                   struct cooc_merge_report *report);
void adding_free(struct adding *a);

/* ---- count -------------------------------------------------------------- */

/* The options of a count, copied from the caller's structs, with the defaults
 * of the methods filled in. */
struct count_order {
    struct cooc_count_options o;
    struct cooc_tuning tuning;
    struct cooc_watch watch;
};

/* Copy and check the options; given may be NULL. */
int count_order_read(struct count_order *order,
                     const struct cooc_count_options *given,
                     struct cooc_err *err);

/* The report of a count, complete. */
struct count_outcome {
    struct cooc_count_report r;
    struct cooc_estimate estimate;
};

/* Can the caller's report, which may be NULL, be filled? */
int count_report_check(const struct cooc_count_report *given,
                       struct cooc_err *err);
void count_report_write(const struct count_outcome *own,
                        struct cooc_count_report *given);

/* How the rows are made, other than by the options. */
struct rows_order {
    const struct stored_rows *stored; /* added up from these, or NULL */
    const char *name; /* of the store, for messages; NULL: its path */
};

/* Make the rows of the store in dir, which the caller has locked. */
int count_rows_in(const char *dir, const struct count_order *order,
                  const struct rows_order *how, struct count_outcome *outcome,
                  struct cooc_err *err);

/* ---- merge -------------------------------------------------------------- */

/* What making rows will take, in nanoseconds on one thread. */
struct rows_cost {
    double sum;   /* adding up the rows of stores */
    double count; /* counting the united documents */
};

/* What a store adds to it.  One that is not counted must be, to add up its
 * rows, and has a pair for each increment at worst. */
void rows_cost_add(struct rows_cost *c, const struct manifest *m);

/* The options of a merge, copied from the caller's structs. */
struct merge_order {
    struct cooc_merge_options o;
    struct count_order count;
};

/* Copy and check the options; given may be NULL. */
int merge_order_read(struct merge_order *order,
                     const struct cooc_merge_options *given,
                     struct cooc_err *err);

/* The report of a merge, complete. */
struct merge_outcome {
    struct cooc_merge_report r;
    struct count_outcome count;
};

/* Can the caller's report, which may be NULL, be filled? */
int merge_report_check(const struct cooc_merge_report *given,
                       struct cooc_err *err);
void merge_report_write(const struct merge_outcome *own,
                        struct cooc_merge_report *given);

/* Unite stores[0..n) into dir, which exists and is empty.  It is called
 * name in messages. */
int merge_into(const char *const *stores, size_t n, const char *dir,
               const char *name, const struct merge_order *order,
               struct merge_outcome *outcome, struct cooc_err *err);

#endif
