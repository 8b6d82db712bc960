/* db.h - the internals of the public struct cooc. */
#ifndef COOC_DB_H
#define COOC_DB_H

#include <pthread.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "cooc.h"
#include "query/doc_heads.h"
#include "store/store.h"
#include "token/token.h"

/* Whether `top` and `row` read the stored row of a term; see partners.h. */
enum row_use { ROW_IF_CHEAPER, ROW_NEVER, ROW_ALWAYS };

struct cooc {
    struct store store;
    char *dir;            /* the store: an absolute path, so that a change of
                           * the working directory does not matter */
    enum row_use row_use; /* other values are only for tests */
    struct buf versions;  /* the text that cooc_rule_versions() returns */
    char *path;           /* path of the manifest, */
    int from;             /* relative to this directory descriptor, */
    struct stat manifest; /* and its status when the store was opened */
    struct doc_heads *heads;
    pthread_mutex_t lock; /* for the next eight members, which are
                           * created when first needed */
    struct rules *rules, *fold_rules;
    struct tokeniser *tok, *fold_tok;
    struct doc_names *doc_names; /* see names.c */
    double smoothing, scale; /* see score.h */
    struct row_norms *norms; /* see similar.c */
    struct cooc_scratch *_Atomic spare; /* see scratch.h */
};

/* Get the name under which a term is printed, or its stem if stems is true. */
int db_name(const struct cooc *db, bool stems, uint32_t id, const char **name,
            size_t *len, struct cooc_err *err);

/* Find the term for which db_name() returns this name. */
int db_shown_as(const struct cooc *db, bool stems, const char *name,
                size_t len, uint32_t *id, int *found, struct cooc_err *err);

/* Get the offsets of the posting lists: the df of t is off[t + 1] - off[t]. */
int db_offsets(const struct cooc *db, const uint64_t **off,
               struct cooc_err *err);

/* Returns 0, or COOC_ENOTCOUNTED if the store has no rows. */
int db_need_rows(const struct cooc *db, struct cooc_err *err);

/* Set the error COOC_EFORMAT: row t has a count that exceeds a df. */
int db_bad_count(const struct cooc *db, uint32_t t, struct cooc_err *err);

/* Find the term with this stem, or, in stores without stems, this name. */
int db_find_stem(const struct cooc *db, const char *stem, size_t len,
                 uint32_t *id, int *found, struct cooc_err *err);

struct doc_names;
void doc_names_free(struct doc_names *d);
struct row_norms;
void row_norms_free(struct row_norms *n);

/* Set the df of both terms and the number of documents in the pair; its count
 * is set to 0. */
int db_pair(const struct cooc *db, uint32_t x, uint32_t y,
            struct cooc_pair *out, struct cooc_err *err);

/* Like cooc_pair_get(). */
int db_pair_count(const struct cooc *db, uint32_t x, uint32_t y,
                  struct cooc_pair *out, struct cooc_err *err);

/* Estimate the time of db_pair_count() in nanoseconds, from the df of both
 * terms; t is the rarer one. */
double db_pair_cost(const struct cooc *db, const struct cooc_pair *p,
                    uint32_t t);

/* Append text, case-folded like the words of the documents but not split into
 * tokens. */
int db_fold(struct cooc *db, const char *text, size_t len, struct buf *out,
            struct cooc_err *err);

#endif
