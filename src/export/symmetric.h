/* symmetric.h - whole rows: the partners of a term before and after it.
 *
 * A row of the store holds the partners before its term.  The partners after
 * it are in as many other rows, so all pairs are inverted; what does not fit
 * into memory is written to a temporary file first.
 */
#ifndef COOC_SYMMETRIC_H
#define COOC_SYMMETRIC_H

#include "export/selection.h"

/* Do the walk over whole rows.  The survey has been made. */
int symmetric_walk(struct selection *s, const struct walk *w,
                   const char *tmpdir, struct cooc_err *err);

#endif
