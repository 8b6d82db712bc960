/* manifest.h - the description of a store and the list of its files.
 *
 * manifest.json is written last and renamed into place, so that it exists only
 * if every file that it names is complete and on disk.  Its last member is a
 * checksum of all text before it.  It contains nothing but facts about the
 * documents and the files: the same documents give the same bytes.
 */
#ifndef COOC_MANIFEST_H
#define COOC_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/checked_file.h"
#include "cooc.h"
#include "index/collection.h"
#include "read/part_info.h"
#include "store/rule_versions.h"
#include "token/token.h"

#define STORE_VERSION 1
#define STORE_FORMAT "cooc store"
#define MANIFEST_NAME "manifest.json"

/* A file of rows: the rows of terms [first, last). */
struct shard_info {
    uint32_t first, last;
    uint64_t pairs, row_bytes; /* row_bytes: start of the offsets */
    struct checked_file_id id;
};

/* The last rows, of terms with at most df documents, are not in shards: a
 * reader recomputes them from the documents (rows/row_recompute.h).  df is
 * at least 1, because the row of a term with a single document is a prefix
 * of the document. */
struct omitted_info {
    uint32_t df, rows;
    uint64_t pairs;
};

struct manifest {
    struct buf text; /* the text as read, NUL-terminated */
    uint32_t documents, terms;
    uint64_t postings, tokens, increments;
    struct rules_options rules; /* without lists */
    char stem[32];
    json_t *settings;           /* the index options (settings.h) */
    struct rule_versions versions; /* versions of the rules */
    bool labels;                /* feature: terms are stems with labels */
    uint32_t phrases;           /* number; not 0: the feature rules.phrases */
    struct part_info part;      /* if it is a part of an index */
    struct buf fields;          /* text fields that were read (name_list.h) */
    json_t *reading;            /* how files were read (reading_note.h) */
    struct checked_file_id files[COLLECTION_FILES];

    bool counted;
    enum cooc_row_set written; /* which rows are in shards */
    uint32_t compact_df;        /* COMPACT: requested df; 0: by cost */
    uint64_t pairs; /* in shards and in omitted rows */
    struct omitted_info omitted;
    struct shard_info *shards;
    uint32_t n_shards;
};

/* The number of rows in the shards of a counted store: [0, rows_written(m)). */
static inline uint32_t rows_written(const struct manifest *m)
{
    return m->terms - m->omitted.rows;
}

/* Write the file name of a shard, such as "rows-0000.bin", to out. */
#define SHARD_NAME_MAX 24
void shard_name(char *out, uint32_t shard);
/* Set *out to the path of a shard in dir, a new string for mem_free(). */
int shard_path(char **out, const char *dir, uint32_t shard,
               struct cooc_err *err);

int manifest_write(const struct manifest *m, const char *dir,
                   struct cooc_err *err);
/* Read and verify the manifest in dir.  COOC_ENOTFOUND if dir does not exist,
 * COOC_EFORMAT if it is not a store. */
int manifest_read(struct manifest *m, const char *dir, struct cooc_err *err);
void manifest_release(struct manifest *m);

#endif
