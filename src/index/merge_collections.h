/* merge_collections.h - one collection out of many: documents one after the
 * other, terms united and numbered anew.
 *
 * To the later stages of indexing a collection is what a worker hands over
 * (ingest.h): a dictionary in byte order, and its documents under the
 * dictionary's ids, which are chunks.  So the result is what indexing the
 * documents of all of them at once writes, byte for byte.
 *
 * Collections are opened one at a time, so that there may be any number.
 */
#ifndef COOC_MERGE_COLLECTIONS_H
#define COOC_MERGE_COLLECTIONS_H

#include "index/collection.h"
#include "index/ingest.h"
#include "index/order.h"

/* Where the collections come from.  The one opened last is closed by the
 * next open(), or by whoever made the source. */
struct collection_source {
    size_t n;
    int (*open)(void *self, size_t i, const struct collection **out,
                struct cooc_err *err);
    void *self;
};

/* Write the united collection into job->dir, which exists, as index_build()
 * does.  With job->labels it has labels; a collection that has none, though it
 * is stemmed, brings its stems as forms of 0 tokens.  With job->mixed forms
 * may belong to several terms (forms.h).  maps, to be released, has the new
 * id of every term: maps->maps[maps->first[i] + old id]. */
int index_merge(const struct collection_source *from,
                const struct index_job *job, struct ordering *maps,
                struct cooc_err *err);

#endif
