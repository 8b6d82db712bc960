/* bulk_rows.h - recompute many omitted rows of a collection.
 *
 * A pass over all rows of a compact store recomputes each of its documents many
 * times.  So the whole index is verified once, and bitmaps of all documents are
 * made (doc_maps.h); then a row is a sum of bitmaps, as in counting.
 *
 * Threads    One struct bulk_row per thread; they share the struct bulk_rows.
 */
#ifndef COOC_BULK_ROWS_H
#define COOC_BULK_ROWS_H

#include <stdbool.h>

#include "rows/map_rows.h"
#include "rows/row_expand.h"

/* An all-zero struct is not ready. */
struct bulk_rows {
    bool ready;
    struct lists fwd, inv;
    struct doc_maps maps;
};

/* Verify the index of c and make bitmaps of at most `memory` bytes. */
int bulk_rows_open(struct bulk_rows *b, const struct collection *c,
                   uint64_t memory, unsigned threads, struct watch *watch,
                   struct cooc_err *err);
/* The same with lists that collection_load() has verified. */
int bulk_rows_init(struct bulk_rows *b, const struct lists *fwd,
                   const struct lists *inv, uint64_t memory, unsigned threads,
                   struct watch *watch, struct cooc_err *err);
void bulk_rows_close(struct bulk_rows *b);

/* The last row that a thread has recomputed.  An all-zero struct is ready for
 * use. */
struct bulk_row {
    bool ready;
    struct map_rows rows;
    struct row_expand expand;
    struct entry *entries;
    size_t n, cap;
};

/* Recompute row t.  Term t must be in at most most_df documents. */
int bulk_row_make(struct bulk_row *r, const struct bulk_rows *b, uint32_t t,
                  uint32_t most_df, struct cooc_err *err);
void bulk_row_release(struct bulk_row *r);

#endif
