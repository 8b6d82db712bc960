/* merge_collections.h - merge collections: concatenate their documents, unite
 * and renumber their terms.
 *
 * To the later stages of indexing, a collection looks like the output of a
 * worker (ingest.h): a dictionary in byte order, and chunks of documents with
 * the ids of this dictionary.  So the result is byte-identical to indexing all
 * documents at once.
 *
 * Collections are opened one at a time, so their number is not limited.
 */
#ifndef COOC_MERGE_COLLECTIONS_H
#define COOC_MERGE_COLLECTIONS_H

#include "index/collection.h"
#include "index/ingest.h"
#include "index/order.h"

/* The collections to merge.  A collection remains open until the next open();
 * the owner of the source closes the last one. */
struct collection_source {
    size_t n;
    int (*open)(void *self, size_t i, const struct collection **out,
                struct cooc_err *err);
    void *self;
};

/* Write the merged collection to job->dir, which exists, like index_build().
 * With job->labels, the result has labels; a stemmed collection without
 * labels contributes its stems as forms with 0 tokens.  With job->mixed, a
 * form may belong to several terms (forms.h).  *maps, which the caller
 * releases, contains the new id of every term: maps->maps[maps->first[i] +
 * old id] for collection i. */
int index_merge(const struct collection_source *from,
                const struct index_job *job, struct ordering *maps,
                struct cooc_err *err);

#endif
