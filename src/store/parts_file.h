/* parts_file.h - the agreement of processes that count parts of a store.
 *
 * The first of them writes how the rows are divided into units and which rows
 * are written; the others compute the same and compare.  So options that change
 * which rows are written, or versions of cooc that divide rows differently,
 * cause an error instead of files that do not fit together.  Reports read the
 * file to know all units without planning.  The count that finishes removes it.
 */
#ifndef COOC_PARTS_FILE_H
#define COOC_PARTS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "cooc.h"

struct parts_file {
    uint64_t collection; /* seal_collection() */
    enum cooc_row_set written;
    uint32_t compact_df;
    uint32_t omitted_df, terms;
    uint32_t n_shards, n_shares;
    uint64_t increments;
    uint32_t *cuts; /* unit i has the rows [cuts[i], cuts[i + 1]) */
    uint64_t *work; /* predicted time of each unit */
};

/* Read the file in dir.  Returns 1, 0 if there is none, or an error. */
int parts_file_read(struct parts_file *p, const char *dir,
                    struct cooc_err *err);
/* Write the file; if there is one by now, keep that one. */
int parts_file_write(const struct parts_file *p, const char *dir,
                     struct cooc_err *err);
/* Remove the file.  A missing file is not an error. */
int parts_file_remove(const char *dir, struct cooc_err *err);
bool parts_file_equal(const struct parts_file *a, const struct parts_file *b);
void parts_file_release(struct parts_file *p);

#endif
