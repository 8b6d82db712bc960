/* run_merge.h - rows of batches in temporary files, and their sum.
 *
 * A run holds the rows of some documents: for each shard of the plan a stream
 * (base/spool.h) of
 *
 *     varint  term - (term before + 1)
 *     varint  bytes
 *     bytes   the row in the store's code (row_code.h)
 */
#ifndef COOC_RUN_MERGE_H
#define COOC_RUN_MERGE_H

#include "base/spool.h"
#include "count/method.h"
#include "rows/accum.h"
#include "rows/row_code.h"

struct run_writer {
    struct spool_file *spool;
    struct spool *to;
    uint32_t next; /* no row before this one can come */
    struct buf pending, code;
    struct row_scratch scratch;
};

/* Append a row to what is pending; w->code holds its code. */
int run_writer_code(struct run_writer *w, uint32_t t, const void *code,
                    size_t len, struct cooc_err *err);
int run_writer_row(struct run_writer *w, uint32_t t, const struct cooc_entry *e,
                   size_t n, struct cooc_err *err);
int run_writer_parts(struct run_writer *w, uint32_t t,
                     const struct row_parts *row, struct cooc_err *err);
int run_writer_finish(struct run_writer *w, struct cooc_err *err);
void run_writer_release(struct run_writer *w);

/* A worker's tools for merging. */
struct run_merger {
    const struct spool_file *spool;
    struct run_input *inputs;
    size_t max_inputs, window;
    struct accum sum;
    struct cooc_entry *entries;
    size_t cap;
    uint8_t *code;
    size_t code_cap;
    struct row_scratch scratch;
};

int run_merger_init(struct run_merger *m, const struct spool_file *spool,
                    size_t max_inputs, size_t window, uint32_t dense,
                    struct cooc_err *err);
void run_merger_release(struct run_merger *m);

/* Add up the rows of the streams, all below last, and give each once to out,
 * or to copy if that is not NULL: a row that is in one stream only needs no
 * decoding then. */
int run_merge(struct run_merger *m, const struct spool *const *from, size_t n,
              uint32_t last, const struct row_sink *out,
              struct run_writer *copy, struct cooc_err *err);

#endif
