/* runs.h - write partial rows to temporary runs, and add them up.
 *
 * A run contains partial rows in order: the rows of a batch of documents, or of
 * a store.  It has one stream (base/spool.h) per shard of the plan:
 *
 *     varint  term - (previous term + 1)
 *     varint  number of bytes
 *     bytes   the row, encoded as in a store (row_code.h)
 *
 * When all runs are complete, they are merged, BUDGET_FAN_IN at a time, until a
 * single merge can produce the shards.  All streams are in one nameless file.
 *
 * Threads    Different shards may be written and merged concurrently.
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
    uint32_t next; /* the next row is not below this one */
    struct buf pending, code;
    struct row_scratch scratch;
};

/* Append a row.  Rows must be added in order. */
int run_writer_row(struct run_writer *w, uint32_t t, const struct entry *e,
                   size_t n, struct cooc_err *err);
int run_writer_parts(struct run_writer *w, uint32_t t,
                     const struct row_parts *row, struct cooc_err *err);
int run_writer_finish(struct run_writer *w, struct cooc_err *err);
void run_writer_release(struct run_writer *w);

/* Memory for merging, one per worker. */
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

/* Merge n streams, with rows below last: add up equal rows and pass each row
 * once to out or, if copy is not NULL, write it to copy.  A row that is in one
 * stream only is then copied without decoding. */
int run_merge(struct run_merger *m, const struct spool *const *from, size_t n,
              uint32_t last, const struct row_sink *out,
              struct run_writer *copy, struct cooc_err *err);

/* ---- all runs ----------------------------------------------------------- */

struct runs {
    const struct runs_job *given;
    const struct kernels *k;
    uint32_t first_shard, shards; /* the shards of the plan to make */
    const uint32_t *cuts; /* shard i of these has rows [cuts[i], cuts[i + 1]) */
    struct spool_file file;
    struct spool **runs; /* runs[i][k]: rows of shard k in run i */
    size_t n, cap;
};

struct runs_report {
    uint32_t batches;
    uint32_t merges; /* merges before the last one */
    uint64_t bytes;  /* written to the temporary file */
};

/* The type of *count_job.given for runs_method. */
struct runs_job {
    /* Write all runs: batch_count() or sum_rows(). */
    int (*fill)(struct runs *r, const struct count_job *job,
                struct cooc_err *err);
    const struct count_plan *plan; /* plan of the collection */
    const struct budget *budget;
    struct runs_report *report;
    const struct shard_sinks *sinks;  /* know finished shards; or NULL */
    const struct stored_rows *stored; /* for sum_rows() */
};

/* The method that fills runs and merges them.  It has the interface of a
 * counting method, so that shards, threads and the check of every row work as
 * usual.  prepare() writes only the rows [job->first, job->last). */
extern const struct count_method runs_method;

/* Begin a run; to[i] receives the rows of the i-th shard. */
int runs_append(struct runs *r, struct spool **to, struct cooc_err *err);

/* Return a writer for one stream of a run. */
static inline struct run_writer runs_writer(struct runs *r, struct spool *to)
{
    return (struct run_writer){ .file = &r->file, .to = to,
                                .scratch = { .k = r->k } };
}

#endif
