/* manifest.h - what a store is and which files belong to it.
 *
 * manifest.json is written last and renamed into place, so that it exists
 * only when everything it names is complete and on disk.  Its last member is
 * a checksum of all the text before it.  There is nothing in it but facts
 * about the documents and the files: the same documents give the same bytes.
 */
#ifndef COOC_MANIFEST_H
#define COOC_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/checked_file.h"
#include "cooc.h"
#include "index/collection.h"
#include "store/rule_versions.h"
#include "token/token.h"

#define STORE_VERSION 1
#define STORE_FORMAT "cooc store"
#define MANIFEST_NAME "manifest.json"

/* A file of rows: those of terms [first, last). */
struct shard_info {
    uint32_t first, last;
    uint64_t pairs, row_bytes; /* row_bytes: where the offsets begin */
    struct checked_file_id id;
};

/* The last rows, of terms in at most df documents: they are not in shards,
 * a reader has them from the documents (rows/row_recompute.h).  df is at least
 * 1, since the row of a term in one document is a prefix of it. */
struct omitted_info {
    uint32_t df, rows;
    uint64_t pairs;
};

struct manifest {
    struct buf text; /* as it was read, NUL-terminated */
    uint32_t documents, terms;
    uint64_t postings, tokens, increments;
    struct rules_options rules; /* without the lists */
    char stem[32];
    json_t *settings;           /* all options of indexing (settings.h) */
    struct rule_versions versions; /* how they were carried out */
    bool labels;                /* feature: terms are stems and have labels */
    struct buf fields;          /* text fields that were read: name_list.h */
    struct checked_file_id files[COLLECTION_FILES];

    bool counted;
    enum cooc_row_set written; /* how the rows in shards were chosen; */
    uint32_t compact_df;        /* COMPACT: up to this df, or 0: by cost */
    uint64_t pairs; /* in shards and left out */
    struct omitted_info omitted;
    struct shard_info *shards;
    uint32_t n_shards;
};

/* Rows [0, rows_written) of a counted store are in its shards. */
static inline uint32_t rows_written(const struct manifest *m)
{
    return m->terms - m->omitted.rows;
}

/* "rows-0000.bin" */
#define SHARD_NAME_MAX 24
void shard_name(char *out, uint32_t shard);
/* "dir/rows-0000.bin" in a new string for mem_free(). */
int shard_path(char **out, const char *dir, uint32_t shard,
               struct cooc_err *err);

int manifest_write(const struct manifest *m, const char *dir,
                   struct cooc_err *err);
/* Read and check.  COOC_ENOTFOUND if dir does not exist, COOC_EFORMAT if it
 * is not a store. */
int manifest_read(struct manifest *m, const char *dir, struct cooc_err *err);
void manifest_release(struct manifest *m);

#endif
