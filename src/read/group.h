/* group.h - make one document of all rows that have the same name.
 *
 *     rows         documents, in order of first appearance
 *     u2  tea      u2  tea, jam
 *     u1  milk     u1  milk
 *     u2  jam
 *
 * All rows are read first, in any order.  If they do not fit in memory, they
 * are sorted on disk: neither the number of rows nor that of names is limited
 * by memory.  The rows of a document keep their order.  Texts are joined with
 * '\n', which ends a paragraph; lists of terms are concatenated.
 *
 * Threads    One at a time.
 * Errors     COOC_ELIMIT, naming the document, if a document exceeds `max`.
 */
#ifndef COOC_GROUP_H
#define COOC_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/group_runs.h"
#include "read/read.h"

struct cooc_err;
struct grouper;
struct input;

/* The options for rows of an input. */
struct group_options group_options_of(const struct input *in,
                                      enum document_kind kind);
/* The strings must outlive the grouper. */
int grouper_new(struct grouper **out, const struct group_options *o,
                struct cooc_err *err);
/* Read all rows, until next() returns 0, and group them.  Their names have at
 * most GROUP_NAME_MAX bytes (group_runs.h).  Progress is counted in stats. */
int grouper_read(struct grouper *g,
                 int (*next)(void *self, struct document *row,
                             struct cooc_err *err),
                 void *self, struct reader_stats *stats, struct cooc_err *err);
/* Both, with the options for the rows of an input.  The grouper may exist even
 * if this fails. */
int grouper_open(struct grouper **out, const struct input *in,
                 enum document_kind kind,
                 int (*next)(void *self, struct document *row,
                             struct cooc_err *err),
                 void *self, struct cooc_err *err);
/* 1: a document, valid until the next call; 0: no more; < 0: failed. */
int grouper_next(struct grouper *g, struct document *doc, struct cooc_err *err);
void grouper_free(struct grouper *g); /* NULL is allowed */

#endif
