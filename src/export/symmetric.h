/* symmetric.h - whole rows: the partners of a term before and behind it.
 *
 * A store's row holds the partners before its term.  Those behind it stand in
 * as many other rows, so all pairs are turned round; what does not fit into
 * memory goes to a temporary file first.
 */
#ifndef COOC_SYMMETRIC_H
#define COOC_SYMMETRIC_H

#include "export/selection.h"

/* Hand every row, whole, to fn, in order; scores go from the row to the
 * entry if asked for.  The survey has been made. */
int symmetric_walk(struct selection *s, bool scores, bool diagonal,
                   const char *tmpdir, row_fn fn, void *self,
                   struct cooc_err *err);

#endif
