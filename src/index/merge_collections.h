/* merge_collections.h - merge collections: concatenate their documents, unite
 * and renumber their terms.
 *
 * To the later stages of indexing, a collection looks like the output of a
 * worker (ingest.h): a dictionary in byte order, and chunks of documents with
 * the ids of this dictionary.  So the result is byte-identical to indexing all
 * documents at once.
 *
 * Every worker has at most one collection open at a time, so the number of
 * collections is not limited.
 */
#ifndef COOC_MERGE_COLLECTIONS_H
#define COOC_MERGE_COLLECTIONS_H

#include "index/collection.h"
#include "index/ingest.h"
#include "index/order.h"

/* The collections to merge.  open() may be called by several workers at a time;
 * a collection remains open until the next open() by the same worker, whose
 * number is less than job->threads.  The owner of the source closes the last
 * one of each worker. */
struct collection_source {
    size_t n;
    const uint32_t *n_docs; /* number of documents of each collection */
    bool distinct; /* the documents of all collections must have distinct
                    * names */
    int (*open)(void *self, unsigned worker, size_t i,
                const struct collection **out, struct cooc_err *err);
    void *self;
};

/* Write the merged collection to job->dir, which exists, like index_build(),
 * and keep the terms that the filter accepts.  With job->labels, the result has
 * labels; a stemmed collection without labels contributes its stems as forms
 * with 0 tokens.  With job->mixed, a form may belong to several terms
 * (forms.h).  *maps, which the caller releases, contains the new id of every
 * term, or TERM_NONE: maps->maps[maps->first[i] + old id] for collection i. */
int index_merge(const struct collection_source *from,
                const struct index_job *job, const struct term_filter *filter,
                struct ordering *maps, struct cooc_err *err);

#endif
