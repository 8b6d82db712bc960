/* gather.h - the one pass over the documents.
 *
 * Workers take batches of documents from the reader, find their terms and
 * leave two things behind:
 *
 *     chunk   a batch reduced to term ids, in the order of the input
 *     run     a worker's dictionary: what those ids mean, and each df;
 *             where words are stemmed, runs of their surface forms as well
 *
 * Ids are private to a run.  When a worker's dictionary outgrows its share
 * of memory it is sorted, written out, and a new run begins; chunks go to a
 * temporary file when they outgrow theirs.  order.c makes one numbering out
 * of all runs, write.c translates the chunks.
 */
#ifndef COOC_GATHER_H
#define COOC_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cooc.h"
#include "index/run.h"

struct reader;
struct rules;
struct watch;

/* u32 lens[n_docs], u32 name_lens[n_docs], u32 ids[n_ids], name bytes. */
struct chunk {
    uint64_t seq;
    uint32_t run;
    uint32_t n_docs;
    uint64_t n_ids;
    struct buf data;   /* empty once it is in a file: */
    int fd;
    uint64_t off, len, hash; /* XXH3 of the bytes there */
};

struct gathered {
    struct chunk *chunks; /* sorted by seq when done */
    size_t n_chunks, chunks_cap;
    struct run *runs;
    size_t n_runs, runs_cap;
    struct run *forms;    /* of surface forms (forms.h), all in files */
    size_t n_forms, forms_cap;
    bool stems;           /* there are forms, if there are terms */
    int *fds;             /* a temporary file for each worker, or -1 */
    unsigned n_fds;
};

struct gather_job {
    struct reader *reader;
    const struct rules *rules;
    uint32_t max_doc_terms; /* 0: all */
    unsigned threads;
    uint64_t memory;
    const char *tmpdir;
    bool labels, mixed; /* see unite.h */
    struct watch *watch;
};

/* Read everything.  Counts of the report are added to. */
int gather(struct gathered *out, const struct gather_job *job,
           struct cooc_index_report *report, struct cooc_err *err);
void gathered_release(struct gathered *g);

#endif
