/* ingest.h - the one pass over the documents.
 *
 * Workers take blocks of documents from the reader, find their terms and
 * leave two things for the stages that follow:
 *
 *     chunk         a block reduced to term ids, in the order of the input
 *     dictionary    of a worker: what those ids mean, and the df of each
 *                   term; where words are stemmed, dictionaries of their
 *                   surface forms as well
 *
 * Ids are private to a dictionary.  When a worker's dictionary outgrows its
 * share of memory it is sorted, handed over, and a new one begins.  Chunks
 * and sorted dictionaries are streams (base/spool.h), which go to temporary
 * files when they outgrow their share.  order.c makes one numbering out of
 * all dictionaries, forward.c translates the chunks.
 */
#ifndef COOC_INGEST_H
#define COOC_INGEST_H

#include <pthread.h>
#include <stdbool.h>

#include "base/spool.h"
#include "cooc.h"
#include "cooc_build.h"
#include "dict/sorted_names.h"

struct checked_file_id;
struct reader;
struct rules;
struct watch;

/* What the stages of indexing share. */
struct index_job {
    const char *dir, *tmpdir; /* of the collection; of temporary files */
    bool fixed_tmpdir;        /* the user cannot name another tmpdir */
    unsigned threads;
    uint64_t memory;
    struct checked_file_id *ids; /* by enum collection_file: what is written */
    struct cooc_index_report *report; /* added to */
    struct watch *watch; /* may be NULL */

    struct reader *reader; /* for ingest() */
    const struct rules *rules;
    uint32_t max_doc_terms; /* 0: all */

    bool labels, mixed; /* see merge_collections.h */
};

/* Documents on their way into a chunk. */
struct chunk_docs {
    struct buf lens, name_lens; /* u32 each, one per document */
    struct buf ids;             /* u32, of all documents */
    struct buf names;
};

void chunk_docs_release(struct chunk_docs *d);

struct chunk {
    uint64_t seq;
    uint32_t dict; /* the number of the dictionary that its ids are from */
    uint32_t n_docs;
    uint64_t n_ids;
    struct spool data; /* of struct chunk_docs, one after the other */
};

/* Threads    Several may add at the same time. */
struct ingested {
    pthread_mutex_t lock;
    struct spool_file chunk_file, names_file;
    struct chunk *chunks; /* sorted by seq when done */
    size_t n_chunks, chunks_cap;
    struct names_list {
        struct sorted_names *items;
        size_t n, cap;
    } terms, forms; /* forms: only where words are stemmed (forms.h) */
};

#define INGESTED_NONE                                              \
    (struct ingested)                                              \
    {                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .chunk_file.fd = -1,    \
        .names_file.fd = -1                                        \
    }

/* Make *g, which is INGESTED_NONE, ready to be added to. */
int ingested_open(struct ingested *g, const struct index_job *job,
                  struct cooc_err *err);
/* Add a chunk, of which data, n_docs and n_ids are taken from d.  Empties d. */
int ingested_add_chunk(struct ingested *g, struct chunk c,
                       struct chunk_docs *d, struct cooc_err *err);
/* Append *names, which g owns from now on, also if this fails; *number, unless
 * NULL, is its place.  Items may be replaced later. */
int ingested_add_names(struct ingested *g, struct names_list *list,
                       struct sorted_names *names, uint32_t *number,
                       struct cooc_err *err);
/* The size of the temporary files, in bytes. */
uint64_t ingested_spilled(const struct ingested *g);
void ingested_release(struct ingested *g);

/* Read every document into *out, which is INGESTED_NONE. */
int ingest(struct ingested *out, const struct index_job *job,
           struct cooc_err *err);

#endif
