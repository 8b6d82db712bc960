/* doc_maps.h - bitmaps of documents: one bit for each of their frequent terms.
 *
 * A document's bitmap covers the terms [0, W), where W is chosen for each
 * document: adding 256 columns of a bitmap costs about as much as adding a
 * single term, so W ends where the document becomes too sparse.  Terms from W
 * on, the tail of the document, are taken from its list.
 *
 * Example.  A long document may have a third of the terms [0, 16384) and one
 * term in 300 of the terms [32768, 65536): W = 65536.  A short one with 40
 * terms: W = 1024.
 *
 * Memory     16 bytes per document and W / 8 for its bitmap.
 * Threads    Once made, any number of threads may read them.
 */
#ifndef COOC_DOC_MAPS_H
#define COOC_DOC_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "cooc.h"
#include "index/collection.h"
#include "kernel/kernel.h"

struct watch;

#define DOC_MAP_STEP 256u    /* W is a multiple of this */
#define DOC_MAP_MAX 65536u   /* the largest W */

struct doc_map {
    /* The position of the first term >= W in fwd.ids, and W / 256. */
    uint64_t tail : 48, steps : 16;
    uint32_t next; /* the term at tail; UINT32_MAX: there is none */
    uint32_t at;   /* begins at bits + at * DOC_MAP_STEP / 64 */
};

struct doc_maps {
    struct lists fwd;
    struct doc_map *of; /* by document */
    uint64_t *bits;
    size_t bytes;       /* of the mapping that contains the bits */
    uint32_t widest;    /* the largest W */
};

struct doc_maps_want {
    const struct lists *fwd;
    uint32_t n_terms;
    uint32_t last;      /* the bitmaps will be used for the rows [0, last) */
    uint32_t width;     /* W of every document; 0: chosen for each */
    uint64_t memory;    /* bytes; W is reduced until the bitmaps fit */
    unsigned threads;
    struct watch *watch; /* may be NULL */
};

/* Make bitmaps of all documents.  The lists must stay valid. */
int doc_maps_init(struct doc_maps *m, const struct doc_maps_want *want,
                  struct cooc_err *err);
void doc_maps_release(struct doc_maps *m);

/* The bytes of bitmaps with this W for every document. */
uint64_t doc_maps_bytes(uint32_t docs, uint32_t width);

/* The bitmaps of some documents in order of falling width, and the terms beyond
 * each of them. */
#define MAP_GROUP 512u
struct map_group {
    size_t n;
    struct bitmap maps[MAP_GROUP];
    const uint32_t *tails[MAP_GROUP];
    uint32_t next[MAP_GROUP]; /* the first of these terms */
};

/* Collect the bitmaps of n <= MAP_GROUP documents for row t, and prefetch what
 * the row will read of them first. */
void map_group_fill(struct map_group *g, const struct doc_maps *m, uint32_t t,
                    const uint32_t *docs, size_t n);

#endif
