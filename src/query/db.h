/* db.h - the public struct cooc from inside. */
#ifndef COOC_DB_H
#define COOC_DB_H

#include <pthread.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "cooc.h"
#include "store/store.h"
#include "token/token.h"

/* Whether `top` and `row` read the stored row of a term; see partners.h. */
enum row_use { ROW_IF_CHEAPER, ROW_NEVER, ROW_ALWAYS };

struct cooc {
    struct store store;
    char *dir;            /* the store: an absolute path, so that a change of
                           * the working directory does not matter */
    enum row_use row_use; /* tests force one */
    struct buf versions;  /* text of cooc_rule_versions() */
    char *path;           /* of its manifest, */
    int from;             /* relative to this directory, */
    struct stat manifest; /* and what was there when the store was opened */
    pthread_mutex_t lock; /* for the next seven, made when first needed */
    struct rules *rules, *fold_rules;
    struct tokeniser *tok, *fold_tok;
    struct doc_names *doc_names; /* see names.c */
    double smoothing, scale; /* see score.h */
    struct cooc_scratch *_Atomic spare; /* see scratch.h */
};

/* The name of a term as it is shown; the stem if stems. */
int db_name(const struct cooc *db, bool stems, uint32_t id, const char **name,
            size_t *len, struct cooc_err *err);

/* The term that db_name() gives this name. */
int db_shown_as(const struct cooc *db, bool stems, const char *name,
                size_t len, uint32_t *id, int *found, struct cooc_err *err);

/* The offsets of the inverted lists: the df of t is off[t + 1] - off[t]. */
int db_offsets(const struct cooc *db, const uint64_t **off,
               struct cooc_err *err);

/* COOC_ENOTCOUNTED for a store without rows. */
int db_need_rows(const struct cooc *db, struct cooc_err *err);

/* COOC_EFORMAT: row t has a count that exceeds a df. */
int db_bad_count(const struct cooc *db, uint32_t t, struct cooc_err *err);

/* The term with this stem, or in stores without stems this name. */
int db_find_stem(const struct cooc *db, const char *stem, size_t len,
                 uint32_t *id, int *found, struct cooc_err *err);

struct doc_names;
void doc_names_free(struct doc_names *d);

/* df of both and N, with the count still 0. */
int db_pair(const struct cooc *db, uint32_t x, uint32_t y,
            struct cooc_pair *out, struct cooc_err *err);

/* Append text, folded like the documents' words but not taken apart. */
int db_fold(struct cooc *db, const char *text, size_t len, struct buf *out,
            struct cooc_err *err);

#endif
