/* map_rows.h - make a row by adding up the bitmaps of its documents.
 *
 * The row of t is the sum, column by column, of the bitmaps of t's documents
 * (doc_maps.h), 256 columns at a time.  The counters are kept as bit planes
 * (row_parts.h).  A document's terms beyond its bitmap are added one by one: to
 * the planes if another bitmap of the row covers them, otherwise to counters of
 * their own (tail.h).
 *
 * Example.  Row 9, d0 = {0,1,3,9}   d1 = {0,2,3,9}   d2 = {0,9}
 *     bitmaps 1011, 1101, 0001 (column 0 is the rightmost bit)
 *     plane 0:  0111    plane 1:  1001    counts  0->3 1->1 2->1 3->2
 *
 * Threads    One struct map_rows per thread; they share the bitmaps.
 */
#ifndef COOC_MAP_ROWS_H
#define COOC_MAP_ROWS_H

#include "rows/doc_maps.h"
#include "rows/row_parts.h"
#include "rows/tail.h"

struct map_rows {
    const struct doc_maps *maps;
    const struct kernels *k;
    struct row_room room;
    struct tail tail;
};

/* Prepare to make rows below last. */
int map_rows_init(struct map_rows *m, const struct doc_maps *maps,
                  const struct kernels *k, uint32_t last,
                  struct cooc_err *err);
void map_rows_release(struct map_rows *m);

/* Make row t, of a term with documents docs[0..n), all of which contain t.
 * *row is valid until the next call. */
int map_rows_make(struct map_rows *m, uint32_t t, const uint32_t *docs,
                  size_t n, struct row_parts *row, struct cooc_err *err);

/* Prefetch the documents of row t, which will be made soon. */
void map_rows_fetch(const struct map_rows *m, uint32_t t,
                    const uint32_t *docs, size_t n);

#endif
