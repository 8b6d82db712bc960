/* transpose.h - from the documents of each term to the terms of each document.
 *
 *     tea    0 2        0    tea
 *     milk   1 2        1    milk
 *                       2    tea, milk
 *
 * Terms and postings are given in any number; what does not fit in memory is
 * sorted on disk (group_runs.h).  The terms of a document keep the order of
 * the lists.
 *
 * Threads    One at a time.
 * Errors     As in group_runs.h.
 */
#ifndef COOC_TRANSPOSE_H
#define COOC_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct group_options;
struct transposer;

/* The strings must outlive the transposer.  The options for lines and marks are
 * ignored: documents are lists of terms, one per line. */
int transposer_new(struct transposer **out, const struct group_options *o,
                   struct cooc_err *err);
void transposer_free(struct transposer *t); /* NULL is allowed */

/* Begin the list of a term, which has no '\n'. */
int transposer_list(struct transposer *t, const char *term, size_t len,
                    struct cooc_err *err);
/* Add a document to it; documents must be ascending. */
int transposer_add(struct transposer *t, uint32_t doc, struct cooc_err *err);

/* All lists have been added. */
int transposer_finish(struct transposer *t, struct cooc_err *err);
/* Set text[0..len) to the terms of a document, one per line, valid until the
 * next call.  Documents must be ascending, and every document that was added
 * must be asked for. */
int transposer_doc(struct transposer *t, uint32_t doc, const char **text,
                   size_t *len, struct cooc_err *err);

/* Number of bytes written to disk. */
uint64_t transposer_spilled(const struct transposer *t);

#endif
