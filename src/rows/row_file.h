/* row_file.h - rows in a temporary file, and the merge of many such files.
 *
 * The paper's form, in the machine's byte order: a primary key, the number
 * of tuples, then that many (secondary key, count), all 32 bits; rows in
 * increasing order.  A file has no name and vanishes with the process.
 */
#ifndef COOC_ROW_FILE_H
#define COOC_ROW_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cooc.h"

struct row_sink;

struct row_file {
    int fd;
    uint64_t len;
    struct buf pending; /* not yet written */
    const char *dir;    /* where it lives, for messages */
};

int row_file_create(struct row_file *f, const char *dir,
                    struct cooc_err *err);
int row_file_add(struct row_file *f, uint32_t row,
                 const struct cooc_entry *entries, size_t n,
                 struct cooc_err *err);
int row_file_finish(struct row_file *f, struct cooc_err *err);
void row_file_close(struct row_file *f);

/* Add up the same rows of all files and emit each once.  memory: bytes for
 * the windows through which the files are read. */
int row_files_merge(struct row_file *files, size_t n, uint64_t memory,
                    const struct row_sink *out, struct cooc_err *err);

#endif
