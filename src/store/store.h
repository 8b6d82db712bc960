/* store.h - an open store: the collection, and its rows if it is counted.
 *
 * Threads    Many threads may read an open store; each needs its own
 *            struct row_reader.
 */
#ifndef COOC_STORE_H
#define COOC_STORE_H

#include <sys/stat.h>

#include "base/entry.h"
#include "index/collection.h"
#include "rows/bulk_rows.h"
#include "rows/row_code.h"
#include "rows/row_recompute.h"
#include "store/manifest.h"

struct store {
    struct manifest manifest;
    struct collection docs;
    /* One per shard, if opened with rows.  If there are many, each is opened
     * when it is first needed (store_shard()) and is NULL before. */
    struct checked_file *_Atomic *shards;
    int dir;    /* if path: the directory, to open shards later */
    char *path; /* its name; NULL: all shards are open */
    struct stat opened; /* the manifest */
};

/* Set *out to the file of a shard, which stays open until store_close().
 * COOC_EFORMAT if it is missing or damaged; COOC_EBUSY if it is not open yet
 * and the store was replaced. */
int store_shard(const struct store *s, uint32_t shard,
                struct checked_file **out, struct cooc_err *err);

/* Open the store at path; if `rows`, with its rows, if it is counted. */
int store_open(struct store *s, const char *path, bool rows,
               struct cooc_err *err);
void store_close(struct store *s);
/* Give the memory of all files back to the kernel.  They can still be read. */
void store_forget(const struct store *s);

/* Memory for reading rows, one per thread.  An all-zero struct is
 * ready for use. */
struct row_reader {
    const struct entry *entries; /* the last row read */
    size_t n;
    struct entry *decoded;
    size_t cap;
    struct row_scratch scratch;
    struct row_recompute recompute;
    /* For passes over many rows: set this before the first row is read. */
    const struct bulk_rows *bulk;
    struct bulk_row bulk_row;
};

/* Prepare row_reader.bulk for reading omitted rows with this total number of
 * postings; *b stays as it is if that is too few to be worthwhile.  memory is
 * the limit for the bitmaps; 0: an eighth of the machine's memory. */
int store_bulk(const struct store *s, uint64_t postings, uint64_t memory,
               unsigned threads, struct watch *watch, struct bulk_rows *b,
               struct cooc_err *err);

/* Read row t into r->entries and r->n.  COOC_ENOTCOUNTED if the store
 * is not counted. */
int store_row(const struct store *s, uint32_t t, struct row_reader *r,
              struct cooc_err *err);
void row_reader_release(struct row_reader *r);

/* Like store_forget(), but only for the rows before t, not for documents. */
void store_forget_rows(const struct store *s, uint32_t t);

/* Look up one count of row t, which must not be omitted. */
int store_count(const struct store *s, uint32_t t, uint32_t column,
                uint32_t *count, struct cooc_err *err);

/* The path of the file that contains row t, or from which row t is recomputed,
 * for messages. */
const char *store_row_path(const struct store *s, uint32_t t);

/* Get the encoded bytes of row t in its shard; none for an omitted row. */
int store_row_code(const struct store *s, uint32_t t, const uint8_t **code,
                   size_t *len, struct cooc_err *err);

#endif
