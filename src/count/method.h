/* method.h - the interface of a counting method: its input and its output.
 *
 * A method emits rows in increasing order of their term.  The entries of row t
 * are the terms s < t that share a document with t, ascending, each with the
 * number of documents that contain both.  Rows without entries may be left out.
 * count_run.c checks all of this, and the sum of each row.
 */
#ifndef COOC_METHOD_H
#define COOC_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/watch.h"
#include "cooc.h"
#include "cooc_build.h"
#include "index/collection.h"
#include "rows/row_parts.h"

struct doc_maps;
struct kernels;

/* The parameters of the paper, and the resources that a method may use. */
struct count_params {
    uint64_t flush_pairs;  /* naive: pairs in memory before a flush */
    uint32_t block_terms;  /* list-blocks: terms per block; 0: sqrt(V) */
    uint32_t accumulators; /* multi-scan: rows counted per scan */
    uint32_t head_terms;   /* bit-scan: terms in bitmaps; 0: by document */
    const struct kernels *kernels; /* bit-scan; NULL: the fastest */
    uint64_t memory;       /* bytes per worker */
    uint64_t shared_memory; /* bytes for the result of prepare() */
    const char *tmpdir;
};

/* The forward and the inverted index of the same documents, and the rows
 * [first, last) to count. */
struct count_job {
    struct lists fwd; /* document -> terms, ascending */
    struct lists inv; /* term -> documents, ascending */
    uint32_t first, last;
    struct count_params params;
    /* For methods that are built on another one, such as runs_method
     * (jobs/runs.h). */
    const void *given;
    /* For methods that are by_maps: bitmaps of the documents, or NULL. */
    const struct doc_maps *maps;
    void *shared;        /* result of prepare(), or NULL */
    /* Receives progress and may cancel the job; may be NULL. */
    struct watch *watch;
    unsigned threads;    /* threads for prepare(); 0 means 1 */
    /* Unless NULL, set to the largest number of terms that bitmaps
     * have contained. */
    uint32_t *head_terms;
};

/* The size of a collection, from which need() computes the memory that
 * a method needs. */
struct count_size {
    uint32_t docs, terms;
    uint64_t postings;
    uint32_t longest_row; /* entries, at most */
    uint64_t row_room;    /* bytes of the planes of any row (row_parts.h) */
    uint32_t longest_doc; /* terms */
    uint32_t frequent;    /* terms from this id on have df < 256 */
};

struct count_need {
    uint64_t shared, worker;
};

/* A counting method.  Each is in its own file, named as in the paper. */
struct count_method {
    struct cooc_method about;
    bool by_rows; /* ranges of rows can be counted in parallel */
    bool by_maps; /* uses job.maps; makes them in prepare() if NULL */
    bool all_lists; /* a row reads inverted lists of other terms */
    struct count_need (*need)(const struct count_size *size);
    int (*prepare)(const struct count_job *job, void **shared,
                   struct cooc_err *err); /* may be NULL */
    void (*release)(void *shared);
    int (*run)(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err);
};

extern const struct count_method count_bit_scan, count_naive, count_list_pairs,
    count_list_blocks, count_list_scan, count_multi_scan;

extern const struct count_method *const count_methods[]; /* NULL at the end */

/* Return the method with this name, or the default if name is NULL.  If the
 * name is unknown, NULL and an error that lists all names. */
const struct count_method *count_method_find(const char *name,
                                             struct cooc_err *err);

/* For long loops: add to *work, which the caller initialises to 0, and check
 * for cancellation every few milliseconds of work. */
static inline int job_go_on(const struct count_job *job, uint64_t *work,
                            uint64_t more, struct cooc_err *err)
{
    *work += more;
    if (*work < (uint64_t)1 << 22)
        return 0;
    *work = 0;
    return watch_add(job->watch, 0, 0, 0, err);
}

#endif
