/* ingest.h - the single pass over the documents.
 *
 * Workers take blocks of documents from the reader, find their terms and write
 * two things for the following stages:
 *
 *     chunk         a block reduced to term ids, in input order
 *     dictionary    the terms that these ids refer to, with the df of each
 *                   term; if words are stemmed, also dictionaries of their
 *                   surface forms
 *
 * Each worker has its own dictionary, and an id is valid only with the
 * dictionary that assigned it.  If a dictionary exceeds the worker's share of
 * memory, it is sorted and handed over, and the worker begins a new one.
 * Chunks and sorted dictionaries are streams (base/spool.h), which are written
 * to temporary files if they exceed their share of memory.  order.c numbers the
 * terms of all dictionaries; forward.c translates the chunks.
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

/* Settings and results that all stages of indexing share. */
struct index_job {
    const char *dir, *tmpdir; /* the collection; temporary files */
    bool fixed_tmpdir;        /* the user cannot name another tmpdir */
    unsigned threads;
    uint64_t memory;
    struct checked_file_id *ids; /* files written, by enum collection_file */
    struct cooc_index_report *report; /* updated by each stage */
    struct watch *watch; /* may be NULL */

    struct reader *reader; /* for ingest() */
    const struct rules *rules;
    uint32_t max_doc_terms; /* distinct terms kept per document; 0: all */

    bool labels, mixed; /* see merge_collections.h */
};

/* Documents that are being collected for a chunk. */
struct chunk_docs {
    struct buf lens, name_lens; /* u32 each, one per document */
    struct buf ids;             /* u32, the terms of all documents */
    struct buf names;
};

void chunk_docs_release(struct chunk_docs *d);

struct chunk {
    uint64_t seq;
    uint32_t dict; /* number of the dictionary of its ids */
    uint32_t n_docs;
    uint64_t n_ids, bytes;
    struct spool data; /* the four buffers of struct chunk_docs, concatenated;
                        * bytes in all */
    uint32_t first_doc; /* for chunks without data: see struct ingested */
};

/* The result of ingest().  Several threads may add to it concurrently. */
struct ingested {
    pthread_mutex_t lock;
    struct spool_file chunk_file, names_file;
    struct chunk *chunks; /* sorted by seq when done */
    size_t n_chunks, chunks_cap;
    struct names_list {
        struct sorted_names *items;
        size_t n, cap;
    } terms, forms; /* forms only if words are stemmed (forms.h) */
    /* NULL, or gets the data of a chunk that has none, and is told when all
     * chunks have been loaded.  Several workers may call load(). */
    int (*load)(void *source, unsigned worker, const struct chunk *c, void *out,
                struct cooc_err *err);
    int (*loaded)(void *source, struct cooc_err *err);
    void *source;
};

#define INGESTED_NONE                                              \
    (struct ingested)                                              \
    {                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .chunk_file.fd = -1,    \
        .names_file.fd = -1                                        \
    }

/* Prepare *g, which must be INGESTED_NONE, for adding chunks and
 * dictionaries. */
int ingested_open(struct ingested *g, const struct index_job *job,
                  struct cooc_err *err);
/* Add a chunk with the documents of d, and empty d.  The caller sets c.seq
 * and c.dict only. */
int ingested_add_chunk(struct ingested *g, struct chunk c,
                       struct chunk_docs *d, struct cooc_err *err);
/* Add a chunk without data.  All fields but data are set. */
int ingested_add_chunk_of(struct ingested *g, const struct chunk *c,
                          struct cooc_err *err);
/* Sort the chunks by seq. */
void ingested_sort(struct ingested *g);
/* Append *names to list.  g owns the names from now on, even if this fails.
 * Unless number is NULL, *number is the index of the names in the list.  The
 * caller may replace list->items[*number] later. */
int ingested_add_names(struct ingested *g, struct names_list *list,
                       struct sorted_names *names, uint32_t *number,
                       struct cooc_err *err);
/* The size of the temporary files, in bytes. */
uint64_t ingested_spilled(const struct ingested *g);
void ingested_release(struct ingested *g);

/* Read all documents into *out, which must be INGESTED_NONE. */
int ingest(struct ingested *out, const struct index_job *job,
           struct cooc_err *err);

#endif
