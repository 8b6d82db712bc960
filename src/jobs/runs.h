/* runs.h - rows on their way to be added up, and their sums.
 *
 * Rows that are not whole yet are written to runs: the rows of some documents,
 * or of a store, in order.  A run is a stream (base/spool.h) for each shard of
 * the plan:
 *
 *     varint  term - (term before + 1)
 *     varint  bytes
 *     bytes   the row in the store's code (row_code.h)
 *
 * When all runs are there they are merged, BUDGET_FAN_IN at a time, until one
 * merge can make the shards.  All streams are in one nameless file.
 *
 * Threads    Different shards may be written and emitted at the same time.
 */
#ifndef COOC_RUNS_H
#define COOC_RUNS_H

#include "base/buf.h"
#include "base/entry.h"
#include "base/spool.h"
#include "count/method.h"
#include "count/plan.h"
#include "jobs/budget.h"
#include "rows/accum.h"
#include "rows/row_code.h"

struct shard_sinks;
struct stored_rows;

/* ---- one stream --------------------------------------------------------- */

struct run_writer {
    struct spool_file *file;
    struct spool *to;
    uint32_t next; /* no row before this one can come */
    struct buf pending, code;
    struct row_scratch scratch;
};

/* Append a row to what is pending. */
int run_writer_row(struct run_writer *w, uint32_t t, const struct entry *e,
                   size_t n, struct cooc_err *err);
int run_writer_parts(struct run_writer *w, uint32_t t,
                     const struct row_parts *row, struct cooc_err *err);
int run_writer_finish(struct run_writer *w, struct cooc_err *err);
void run_writer_release(struct run_writer *w);

/* A worker's tools for merging. */
struct run_merger {
    const struct spool_file *file;
    struct run_input *inputs;
    size_t max_inputs, window;
    struct accum sum;
    struct entry *entries;
    size_t cap;
    uint8_t *code;
    size_t code_cap;
    struct row_scratch scratch;
};

int run_merger_init(struct run_merger *m, const struct spool_file *file,
                    size_t max_inputs, size_t window, uint32_t dense,
                    struct cooc_err *err);
void run_merger_release(struct run_merger *m);

/* Add up the rows of the streams, all below last, and give each once to out,
 * or to copy if that is not NULL: a row that is in one stream only needs no
 * decoding then. */
int run_merge(struct run_merger *m, const struct spool *const *from, size_t n,
              uint32_t last, const struct row_sink *out,
              struct run_writer *copy, struct cooc_err *err);

/* ---- all runs ----------------------------------------------------------- */

struct runs {
    const struct runs_job *given;
    const struct kernels *k;
    uint32_t first_shard, shards; /* of the plan, those that are wanted */
    const uint32_t *cuts; /* wanted shard i is rows [cuts[i], cuts[i + 1]) */
    struct spool_file file;
    struct spool **runs; /* runs[i][k]: rows of the k-th wanted shard */
    size_t n, cap;
};

struct runs_report {
    uint32_t batches;
    uint32_t merges; /* before the last one */
    uint64_t bytes;  /* written to the temporary file */
};

/* What count_job.given points to. */
struct runs_job {
    /* Write every run: batch_count() or sum_rows(). */
    int (*fill)(struct runs *r, const struct count_job *job,
                struct cooc_err *err);
    const struct count_plan *plan; /* of the collection */
    const struct budget *budget;
    struct runs_report *report;
    const struct shard_sinks *sinks;  /* which shards are done; or NULL */
    const struct stored_rows *stored; /* for sum_rows() */
};

/* The method that fills runs and merges them.  Seen from outside it is a
 * method like any other, so that shards, threads and the check of every row
 * stay as they are.  Only the rows [job->first, job->last) are prepared. */
extern const struct count_method runs_method;

/* Begin a run; to[i] is for rows of the i-th wanted shard. */
int runs_append(struct runs *r, struct spool **to, struct cooc_err *err);

/* A writer for one stream of a run. */
static inline struct run_writer runs_writer(struct runs *r, struct spool *to)
{
    return (struct run_writer){ .file = &r->file, .to = to,
                                .scratch = { .k = r->k } };
}

#endif
