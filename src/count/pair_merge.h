/* pair_merge.h - naive's temporary rows: written in order, merged later.
 *
 * The paper's form, in the machine's byte order: a primary key, the number
 * of tuples, then that many (secondary key, count), all 32 bits; rows in
 * increasing order.  Each set of rows is a stream of a spool (base/spool.h).
 */
#ifndef COOC_PAIR_MERGE_H
#define COOC_PAIR_MERGE_H

#include "base/entry.h"
#include "base/spool.h"
#include "cooc.h"

struct pair_record;
struct row_sink;

/* Append a row. */
int pairs_write_row(struct spool_writer *w, uint32_t row,
                    const struct entry *entries, size_t n,
                    struct cooc_err *err);
/* Append the row of the first of n sorted records, of which *len are in it. */
int pairs_write_records(struct spool_writer *w, const struct pair_record *r,
                        size_t n, size_t *len, struct cooc_err *err);

/* Add up the same rows of n streams and emit each row once.  Takes
 * SPOOL_PIECE bytes per stream, and a row. */
int pairs_merge(const struct spool_file *file, const struct spool *streams,
                size_t n, const struct row_sink *out, struct cooc_err *err);

#endif
