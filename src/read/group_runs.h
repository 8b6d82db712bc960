/* group_runs.h - an external sort of named texts, for group.c.
 *
 * Records are collected in memory by the caller, who writes them as sorted runs
 * to a temporary file.  Merging joins records with the same key and name, in
 * the order in which their runs were written:
 *
 *     run 0    (2, bo, "tea")  (7, al, "milk")
 *     run 1    (2, bo, "jam")  (9, cy, "tea")
 *     merged   (2, bo, "tea\njam")  (7, al, "milk")  (9, cy, "tea")
 *
 * The number of runs stays small: whenever GROUP_RUNS_MAX runs of the same
 * level are complete, they are merged into one run of the next level.
 *
 * Threads    One at a time.
 * Errors     As in spool.h.  COOC_ELIMIT, naming the record, if joined texts
 *            exceed `max`.
 */
#ifndef COOC_GROUP_RUNS_H
#define COOC_GROUP_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/spool.h"

struct cooc_err;
struct watch;

#define GROUP_RUNS_MAX 64u    /* runs merged at a time */
#define GROUP_NAME_MAX 65535u /* bytes */
#define GROUP_ASK_AFTER 1024u /* records between two looks at the watch */

struct group_options {
    const char *dir;     /* of temporary files */
    uint64_t memory;     /* of the whole job; grouping takes up to a fourth */
    size_t max;          /* bytes of the largest document */
    bool lines;          /* terms, one per line; otherwise running text */
    bool marks;          /* rows have, and documents get, ends of paragraphs */
    const char *numbered; /* the input in which names are empty and keys are
                           * numbers of documents, for messages; or NULL */
    struct watch *watch; /* may cancel; may be NULL */
};

/* What a run has before each text.  Records are ordered by key, then by
 * name. */
struct group_head {
    uint64_t key;
    uint64_t first; /* number of the row in which the name appeared first */
    const char *name;
    size_t name_len;
    uint64_t text_len; /* the text follows, */
    uint64_t n_ends;   /* then its struct text_end */
};

struct group_runs {
    struct spool_file *file;
    struct group_run {
        struct spool data;
        unsigned level;
    } * items;
    size_t n, cap;
    size_t window;       /* bytes per run that is being merged */
    size_t max;          /* bytes of the largest text */
    bool lines;          /* texts end with '\n'; otherwise, join adds one */
    bool marks;          /* where join adds one, a paragraph ends */
    const char *numbered; /* as in struct group_options */
    struct watch *watch; /* may cancel; may be NULL */
};

/* Begin without runs in a new temporary file.  The strings must outlive the
 * runs.  Close the file and release the runs even if this fails. */
int group_runs_open(struct group_runs *runs, struct spool_file *file,
                    const struct group_options *o, struct cooc_err *err);

/* Write the head of a record; the caller writes its text and ends. */
int group_head_write(struct spool_writer *w, const struct group_head *head,
                     struct cooc_err *err);

/* Append a run, which is empty afterwards, even after a failure.  May merge
 * earlier runs. */
int group_runs_add(struct group_runs *runs, struct spool *data,
                   struct cooc_err *err);
/* Merge runs until at most GROUP_RUNS_MAX of them are left. */
int group_runs_reduce(struct group_runs *runs, struct cooc_err *err);
void group_runs_release(struct group_runs *runs);

struct group_merge {
    struct group_runs *runs;
    struct group_cursor *cursors;
    size_t n;
    void **heap; /* of struct group_cursor */
    size_t live;
    /* The current record. */
    struct group_head head; /* name is in `name` */
    struct buf name, text, ends;
    uint64_t asked; /* records since the merge began */
};

/* Merge `n` runs from run number `from` on.  Call group_merge_close() even if
 * this fails. */
int group_merge_open(struct group_merge *m, struct group_runs *runs,
                     size_t from, size_t n, struct cooc_err *err);
/* 1: the next record is in m; 0: no more records; < 0: failed. */
int group_merge_next(struct group_merge *m, struct cooc_err *err);
void group_merge_close(struct group_merge *m);

/* COOC_ELIMIT: the document of a record is larger than runs->max bytes. */
int group_too_large(const struct group_runs *runs,
                    const struct group_head *head, struct cooc_err *err);

#endif
