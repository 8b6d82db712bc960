/* doc_heads.h - the most frequent terms of documents, as bitmaps.
 *
 * A query about a frequent term counts the terms of thousands of documents.
 * Most of their terms are frequent ones, too, and a bitmap of the `width` most
 * frequent terms takes a fraction of the memory of their ids: the sum of all
 * bitmaps is computed faster than the ids can be read.
 *
 * Bitmaps are made when they are first needed, and only in a process that has
 * already read as many documents as the store has: before that, making them
 * would take longer than they save.
 *
 * Memory     At most a quarter of forward.bin and at most HEADS_MAX bytes; in
 *            addition, 4 bytes per document.
 * Threads    Any number of threads may share a struct doc_heads.
 */
#ifndef COOC_DOC_HEADS_H
#define COOC_DOC_HEADS_H

#include <pthread.h>
#include <stdatomic.h>

#include "index/collection.h"

#define HEADS_MAX ((uint64_t)64 << 20) /* bytes */

/* All zeros except the lock before the first use. */
struct doc_heads {
    pthread_mutex_t lock;     /* to make bitmaps */
    atomic_ullong read;       /* documents that queries have read */
    atomic_uint width;        /* columns per bitmap; 0: no bitmaps yet */
    uint64_t *maps;           /* the bitmap of d begins at d * width / 64 */
    atomic_uint *after;       /* by document: 1 + the number of its terms below
                               * width; 0: its bitmap is not made yet */
};

void doc_heads_init(struct doc_heads *h);
void doc_heads_release(struct doc_heads *h);

/* Make the bitmaps of the documents, if they are worth it, for counting terms
 * from first on.  *width is their number of columns, or 0. */
int doc_heads_make(struct doc_heads *h, const struct collection *c,
                   const uint32_t *docs, uint64_t n, uint32_t first,
                   uint32_t *width, struct cooc_err *err);

#endif
