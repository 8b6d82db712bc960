/* naive.h - the parts of naive.c: a dictionary of pairs in memory, and the
 * merge of streams of rows. */
#ifndef COOC_NAIVE_H
#define COOC_NAIVE_H

#include "base/spool.h"
#include "rows/row_parts.h"

struct pair_record {
    uint32_t row;
    struct entry entry;
};

/* (row, term) -> count: open addressing, linear probing, at most 3/4 full. */
struct pair_table {
    uint64_t *keys;   /* (row << 32 | term) + 1; 0: empty */
    uint32_t *counts;
    size_t mask, n;   /* n: number of pairs */
};

int pair_table_init(struct pair_table *t, struct cooc_err *err);
void pair_table_release(struct pair_table *t);

/* Make room for the next `extra` calls of pair_table_count(). */
int pair_table_reserve(struct pair_table *t, size_t extra,
                       struct cooc_err *err);
void pair_table_count(struct pair_table *t, uint32_t row, uint32_t term);

/* Return all pairs, sorted by row and term, in a new array for mem_free(), and
 * empty the table. */
int pair_table_take(struct pair_table *t, struct pair_record **out, size_t *n,
                    struct cooc_err *err);

/* Append a row to a stream. */
int pairs_write_row(struct spool_writer *w, uint32_t row,
                    const struct entry *entries, size_t n,
                    struct cooc_err *err);

/* Merge n <= PAIRS_FAN_IN streams: add up equal rows and emit each row once.
 * Needs SPOOL_PIECE bytes per stream, and memory for one row. */
#define PAIRS_FAN_IN 32
int pairs_merge(const struct spool_file *file, const struct spool *streams,
                size_t n, const struct row_sink *out, struct cooc_err *err);

#endif
