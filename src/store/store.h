/* store.h - an open store: the collection, and its rows if it is counted.
 *
 * Threads    An open store may be read by many threads; each has its own
 *            struct row_reader.
 */
#ifndef COOC_STORE_H
#define COOC_STORE_H

#include "base/entry.h"
#include "index/collection.h"
#include "rows/row_code.h"
#include "rows/row_recompute.h"
#include "store/manifest.h"

struct store {
    struct manifest manifest;
    struct collection docs;
    struct checked_file **shards; /* one for each of the manifest, if counted */
};

/* With its rows, if there are any, or without. */
int store_open(struct store *s, const char *path, bool rows,
               struct cooc_err *err);
void store_close(struct store *s);
/* Nothing of it is needed for a while: the kernel may have the memory of its
 * files back.  They can still be read. */
void store_forget(const struct store *s);

/* A thread's way to rows.  All zero is ready for use. */
struct row_reader {
    const struct entry *entries; /* of the last row */
    size_t n;
    struct entry *decoded;
    size_t cap;
    struct row_scratch scratch;
    struct row_recompute recompute;
};

/* Row t into r->entries and r->n.  COOC_ENOTCOUNTED without rows. */
int store_row(const struct store *s, uint32_t t, struct row_reader *r,
              struct cooc_err *err);
void row_reader_release(struct row_reader *r);

/* The same of rows before t alone; once rows are left out, of all. */
void store_forget_rows(const struct store *s, uint32_t t);

/* One count of row t, which must not be one that is left out. */
int store_count(const struct store *s, uint32_t t, uint32_t column,
                uint32_t *count, struct cooc_err *err);

/* The file that row t is in, or is recomputed from: for messages. */
const char *store_row_path(const struct store *s, uint32_t t);

/* The bytes of row t as they stand in its shard; none for a row that is left
 * out. */
int store_row_code(const struct store *s, uint32_t t, const uint8_t **code,
                   size_t *len, struct cooc_err *err);

#endif
