/* steps.h - the steps of commands: index, count and merge in a directory that
 * the caller owns. */
#ifndef COOC_STEPS_H
#define COOC_STEPS_H

#include "cooc_build.h"
#include "store/manifest.h"

struct index_input;
struct journal;
struct stored_rows;
struct watch;

/* ---- index -------------------------------------------------------------- */

/* Build a store in in->dir, like index_build(), with options that have been
 * checked.  Unless fingerprint is NULL, write it there, too
 * (input_fingerprint.h).  known_fields are the text fields of the store to
 * which the documents will be added, or NULL. */
int index_into(struct index_input *in, const struct cooc_index_options *o,
               const struct buf *fingerprint,
               const struct buf *known_fields,
               struct cooc_index_report *report, struct watch *watch,
               struct cooc_err *err);

/* Write the manifest of the collection in dir.  *m describes the collection,
 * except for the numbers in *r. */
int index_finish(struct manifest *m, const char *dir,
                 const struct cooc_index_report *r, struct cooc_err *err);

/* A number that identifies the index of a collection by its files; not 0. */
uint64_t index_identity(const struct checked_file_id *files);

/* The steps of cooc_add(), also for documents that are not in files. */
struct adding;
/* Lock the store and prepare to read documents, from files or from a feed.
 * Call adding_free(*out) even if this fails. */
int adding_open(struct adding **out, const char *store, bool files,
                const struct cooc_add_options *options, struct cooc_err *err);
/* The options that the documents are read with. */
const struct cooc_index_options *adding_options(const struct adding *a);
/* Index the documents, merge and publish. */
int adding_run(struct adding *a, const struct index_input *from,
               struct cooc_err *err);
void adding_report(const struct adding *a, struct cooc_index_report *indexed,
                   struct cooc_merge_report *report);
void adding_free(struct adding *a);

/* ---- count -------------------------------------------------------------- */

/* The options of a count, copied from the structs of the caller, with the
 * defaults of the methods filled in. */
struct count_order {
    struct cooc_count_options o;
    struct cooc_tuning tuning;
    struct cooc_watch watch;
};

/* Copy and check the options; given may be NULL. */
int count_order_read(struct count_order *order,
                     const struct cooc_count_options *given,
                     struct cooc_err *err);

/* The complete report of a count. */
struct count_outcome {
    struct cooc_count_report r;
    struct cooc_estimate estimate;
};

/* Check that the caller's report, which may be NULL, can be filled. */
int count_report_check(const struct cooc_count_report *given,
                       struct cooc_err *err);
void count_report_write(const struct count_outcome *own,
                        struct cooc_count_report *given);

/* How to make the rows, in addition to the options. */
struct rows_order {
    const struct stored_rows *stored; /* add up these rows, or NULL: count */
    const char *name; /* name of the store in messages; NULL: its path */
    bool verified;    /* the collection was written by this process */
    struct journal *journal; /* receives finished units; or NULL */
};

/* Make the rows of the store in dir, which the caller has locked. */
int count_rows_in(const char *dir, const struct count_order *order,
                  const struct rows_order *how, struct count_outcome *outcome,
                  struct cooc_err *err);

/* ---- merge -------------------------------------------------------------- */

/* Estimated times of two ways to make the rows of a merged store, in
 * nanoseconds on one thread. */
struct rows_cost {
    double sum;   /* adding up the rows of stores */
    double count; /* counting the merged documents */
};

/* Add the cost of a store.  A store that is not counted must be counted
 * before its rows can be added up; it is assumed to have one pair per
 * increment, the worst case. */
void rows_cost_add(struct rows_cost *c, const struct manifest *m);

/* The options of a merge, copied from the structs of the caller. */
struct merge_order {
    struct cooc_merge_options o;
    struct count_order count;
};

/* Copy and check the options; given may be NULL. */
int merge_order_read(struct merge_order *order,
                     const struct cooc_merge_options *given,
                     struct cooc_err *err);

/* The complete report of a merge. */
struct merge_outcome {
    struct cooc_merge_report r;
    struct count_outcome count;
};

/* Check that the caller's report, which may be NULL, can be filled. */
int merge_report_check(const struct cooc_merge_report *given,
                       struct cooc_err *err);
void merge_report_write(const struct merge_outcome *own,
                        struct cooc_merge_report *given);

/* Merge stores[0..n) into dir, which exists and is empty.  Messages call it
 * name. */
int merge_into(const char *const *stores, size_t n, const char *dir,
               const char *name, const struct merge_order *order,
               struct merge_outcome *outcome, struct cooc_err *err);

#endif
