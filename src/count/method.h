/* method.h - what a counting method is given and what it must produce.
 *
 * A method emits rows in increasing order of their term; within a row the
 * entries are the terms s < t that share a document with t, ascending, each
 * with the number of documents they share.  Rows without entries may be
 * left out.  count_run.c checks all of this, and the sum of each row.
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

struct kernels;

/* The paper's parameters, and what a method may use. */
struct count_params {
    uint64_t flush_pairs;  /* naive: distinct pairs held before a flush */
    uint32_t block_terms;  /* list-blocks: terms in a block */
    uint32_t accumulators; /* multi-scan: rows counted in one scan */
    uint32_t head_terms;   /* bit-scan: terms in bitmaps; 0: by cost */
    const struct kernels *kernels; /* bit-scan; NULL: the best */
    uint64_t memory;       /* bytes for one worker */
    uint64_t shared_memory; /* bytes for what prepare() makes */
    const char *tmpdir;
};

/* Two views of the same documents and the rows [first, last) to make. */
struct count_job {
    struct lists fwd; /* document -> terms, ascending */
    struct lists inv; /* term -> documents, ascending */
    uint32_t first, last;
    struct count_params params;
    const void *given;   /* for a method that is made of another */
    void *shared;        /* what prepare() made, or NULL */
    struct watch *watch; /* may be NULL; asked now and then: go on? */
    unsigned threads;    /* that prepare() may use; 0 is 1 */
    uint32_t *head_terms; /* told how many bitmaps hold, at most; or NULL */
};

/* How large a collection is, and the memory that a method needs for it at
 * least, in bytes, beside the two views.  What it has beyond that, in
 * params.memory and params.shared_memory, it may use or not. */
struct count_size {
    uint32_t docs, terms;
    uint64_t postings;
    uint32_t longest_row; /* entries */
    uint64_t row_room;    /* bytes of the planes of a row (row_parts.h) */
    uint32_t longest_doc; /* terms */
    uint32_t frequent;    /* ids from here on have fewer than 256 documents */
};

struct count_need {
    uint64_t shared, worker;
};

/* One way to count.  Each is in a file of its own, named as in the paper. */
struct count_method {
    struct cooc_method about;
    bool by_rows; /* ranges of rows may be counted apart, in parallel */
    bool all_lists; /* a row looks at inverted lists other than its own */
    struct count_need (*need)(const struct count_size *size);
    int (*prepare)(const struct count_job *job, void **shared,
                   struct cooc_err *err); /* NULL: nothing to prepare */
    void (*release)(void *shared);
    int (*run)(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err);
};

extern const struct count_method count_bit_scan, count_naive, count_list_pairs,
    count_list_blocks, count_list_scan, count_multi_scan;

extern const struct count_method *const count_methods[]; /* NULL at end */

/* The method of that name, the default for NULL; NULL and an error that
 * lists the names if there is none. */
const struct count_method *count_method_find(const char *name,
                                             struct cooc_err *err);

/* For long loops: add to *work, which is the caller's and 0 at first, and ask
 * the watch every few milliseconds of it. */
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
