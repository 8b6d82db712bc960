/* cooc.h - exact co-occurrence counts: open a store and query it.
 *
 *     cooc.h          errors, opening a store, terms, pairs, rows, documents
 *     cooc_bulk.h     many pairs per call: all pairs, lists of terms, matrices
 *     cooc_build.h    making stores: builder, index, count, merge, add, check
 *     cooc_export.h   files for other programs, and reading such files
 *     cooc_parts.h    counting one store in several processes
 *
 * A store is a directory.  Terms have dense ids from 0 in descending order of
 * document frequency, ties in byte order.  The row of term t holds every term
 * s < t that shares a document with t, so each pair is stored once.
 *
 * Errors     A function that can fail returns 0 or a negative COOC_E* code and
 *            fills *err, unless err is NULL.  On failure, pointers that the
 *            caller would own are NULL.
 * Structs    A struct that begins with size is initialised with its macro,
 *            struct cooc_info i = COOC_INFO, or with cooc_init(); zero is the
 *            default of every field.  NULL options mean all defaults; reports
 *            may be NULL.
 * Ownership  Arrays returned through a non-const pointer belong to the caller,
 *            who frees them with cooc_free().
 * Threads    Any number of threads may query one open store.
 * Output     The library never prints, never exits, keeps no mutable globals.
 * Paths      Relative to the working directory at the start of the call.
 *
 * docs/LIBRARY.md is a tutorial, and has the details.
 */
#ifndef COOC_H
#define COOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define COOC_INIT(type) \
    ([] { struct type cooc_ = {}; cooc_.size = sizeof cooc_; return cooc_; }())
#else
#define COOC_INIT(type) { .size = sizeof(struct type) }
#endif

#define COOC_API __attribute__((visibility("default")))
#define COOC_VERSION "0.1.0"
#define COOC_VERSION_NUMBER 100 /* major * 10000 + minor * 100 + patch */

/* COOC_VERSION and COOC_VERSION_NUMBER of the library that is linked. */
COOC_API const char *cooc_version(void);
COOC_API unsigned cooc_version_number(void);

/* Set a struct of the given size to its defaults, as COOC_INIT() does. */
COOC_API void cooc_init(void *sized_struct, size_t size);

/* Free an array that a function of this library returned.  p may be NULL. */
COOC_API void cooc_free(void *p);

/* ---- errors ---------------------------------------------------------- */

enum {
    COOC_OK = 0,
    COOC_ENOMEM = -1,       /* out of memory */
    COOC_EIO = -2,          /* the system failed to read or write */
    COOC_EFORMAT = -3,      /* damaged, truncated or foreign data */
    COOC_EVERSION = -4,     /* a store of a newer format */
    COOC_EINVAL = -5,       /* an invalid argument or option */
    COOC_ENOTFOUND = -6,    /* no such term, file or store */
    COOC_EEXISTS = -7,      /* the store exists already */
    COOC_EBUSY = -8,        /* another process or call is writing the store */
    COOC_ELIMIT = -9,       /* beyond a documented limit */
    COOC_ENOTCOUNTED = -10, /* the store has no counted pairs yet */
    COOC_ECANCELLED = -11,  /* a callback asked to stop */
    COOC_EFULL = -12        /* the disk or a quota is full, or would be */
};

struct cooc_err {
    int code;
    int sys_errno;     /* of the system call that failed, or 0 */
    char text[512];    /* one sentence: what is wrong and where */
    char path[512];    /* the file or directory concerned, or "" */
    char option[32];   /* the field of an options struct that is wrong or that
                        * would help, for example "replace"; or "" */
};

/* Optional; call it before any other function and before threads start.  ICU
 * and jansson can lose text after a failed allocation; this installs
 * allocators (for libxml2, too) that remember the failure, so that the call
 * that needed memory returns COOC_ENOMEM.  flags must be 0. */
COOC_API int cooc_global_init(unsigned flags, struct cooc_err *err);

/* ---- an open store --------------------------------------------------- */

struct cooc;
struct cooc_watch;            /* progress and cancelling: cooc_build.h */

/* Open a store, counted or not, for reading, in milliseconds whatever its
 * size.  Every block is verified before its first use, so any later call may
 * return COOC_EFORMAT.  The handle keeps reading this store even after another
 * one has replaced it; but if the store has more than 512 row files, later
 * calls may then return COOC_EBUSY.  cooc_close() accepts NULL. */
COOC_API int cooc_open(struct cooc **out, const char *store,
                       struct cooc_err *err);
COOC_API void cooc_close(struct cooc *db);

/* Set *changed to whether the store's path now names another store or none. */
COOC_API int cooc_changed(struct cooc *db, bool *changed,
                          struct cooc_err *err);

/* Which rows of pairs a store contains.  Missing rows are recomputed from the
 * documents when needed, so every kind of store gives the same answers. */
enum cooc_row_set {
    COOC_ROWS_DEFAULT, /* as in the store that is recounted or merged; COMPACT
                        * for a new store or if merged stores differ */
    COOC_ROWS_FULL,    /* all but the rows of terms in one document */
    COOC_ROWS_COMPACT  /* all but those that are cheap to recompute */
};

struct cooc_info {
    size_t size;
    uint64_t documents, terms, postings, tokens;
    uint64_t denominator;     /* counts are in units of 1/denominator: 1 */
    uint64_t increments;      /* the sum of all counts */
    bool counted;             /* otherwise the next six fields are 0 */
    enum cooc_row_set rows;
    uint64_t pairs;           /* number of distinct pairs */
    uint64_t omitted_df;      /* omitted: rows of terms with at most this df */
    uint64_t omitted_rows;    /* number of omitted rows */
    uint64_t omitted_pairs;   /* number of pairs in omitted rows */
    uint64_t row_bytes;       /* size of the row files */
    uint64_t store_bytes;     /* size of all files */
    uint32_t part, parts;     /* share of the inputs that was indexed, from 1,
                               * and number of shares; 0, 0: not a part */
    uint64_t phrases;         /* number of phrases in the lists of the store */
};
#define COOC_INFO COOC_INIT(cooc_info)

COOC_API int cooc_info_get(struct cooc *db, struct cooc_info *out,
                           struct cooc_err *err);

/* ---- terms and documents --------------------------------------------- */

/* Names are not NUL-terminated and live until cooc_close().  An id that is
 * out of range is COOC_EINVAL.  In a stemmed store, cooc_term_name() gives the
 * most frequent word of the term and cooc_term_stem() its stem; in other
 * stores both give the term. */
COOC_API int cooc_term_name(struct cooc *db, uint32_t term, const char **name,
                            size_t *len, struct cooc_err *err);
COOC_API int cooc_term_stem(struct cooc *db, uint32_t term, const char **name,
                            size_t *len, struct cooc_err *err);
COOC_API int cooc_document_name(struct cooc *db, uint32_t doc,
                                const char **name, size_t *len,
                                struct cooc_err *err);

/* The term or document with exactly this name; if there is none, *found is
 * false and the call succeeds.  Of several documents with the same name, the
 * first.  The first cooc_document_id() on a store reads all names and keeps 6
 * to 12 bytes per document in memory; later calls take microseconds. */
COOC_API int cooc_term_id(struct cooc *db, const char *name, size_t len,
                          uint32_t *term, bool *found, struct cooc_err *err);
COOC_API int cooc_document_id(struct cooc *db, const char *name, size_t len,
                              uint32_t *doc, bool *found,
                              struct cooc_err *err);

/* The term of a word or a phrase as a user types it: the term with that name,
 * or else the term that the word becomes when it is folded and stemmed like the
 * words of the documents.  COOC_ENOTFOUND suggests similar terms, which means
 * comparing all of them; COOC_EINVAL if it is neither one word nor a phrase of
 * the store. */
COOC_API int cooc_term_find(struct cooc *db, const char *word, size_t len,
                            uint32_t *term, struct cooc_err *err);

struct cooc_term_filter {
    size_t size;
    const char *prefix;       /* NULL: any.  Folded, but not stemmed */
    const char *like;         /* NULL: any; a pattern for the whole name with
                               * *, ?, [a-z], [!a]; \ quotes a character */
    uint64_t min_df, max_df;  /* 0: any */
    size_t limit;             /* 0: all */
};
#define COOC_TERM_FILTER COOC_INIT(cooc_term_filter)

/* The ids of the terms that pass the filter, most frequent first. */
COOC_API int cooc_terms(struct cooc *db, const struct cooc_term_filter *filter,
                        uint32_t **terms, size_t *n, struct cooc_err *err);

/* The number of documents that contain a term. */
COOC_API int cooc_term_df(struct cooc *db, uint32_t term, uint64_t *df,
                          struct cooc_err *err);

/* The terms of a document, or the documents of a term, ascending.  The arrays
 * belong to the store and live until cooc_close(). */
COOC_API int cooc_document_terms(struct cooc *db, uint32_t doc,
                                 const uint32_t **terms, uint64_t *n,
                                 struct cooc_err *err);
COOC_API int cooc_term_documents(struct cooc *db, uint32_t term,
                                 const uint32_t **docs, uint64_t *n,
                                 struct cooc_err *err);

/* ---- pairs and measures ---------------------------------------------- */

/* The 2x2 table of two terms.  All four numbers are integers over the
 * denominator of cooc_info, which is 1 for numbers of documents. */
struct cooc_pair {
    uint32_t x, y;
    uint64_t count;           /* documents with both */
    uint64_t fx, fy;          /* documents with x, with y */
    uint64_t total;           /* documents */
};

/* The table of x and y, in about a microsecond; x == y gives count == fx.
 * Works on a store that is only indexed, in more time. */
COOC_API int cooc_pair_get(struct cooc *db, uint32_t x, uint32_t y,
                           struct cooc_pair *out, struct cooc_err *err);

struct cooc_measure {
    const char *name;         /* "npmi" */
    const char *title;        /* "normalised PMI" */
    const char *formula;      /* in a, b, c, d, N, fx, fy and E */
    const char *range;
    const char *zero;         /* the value if a cell of the table is 0 */
    bool directed;            /* from x to y differs from y to x */
    bool lower;               /* smaller values are stronger */
};

/* The i-th measure, or NULL after the last; 0 is the count. */
COOC_API const struct cooc_measure *cooc_measure_get(unsigned i);
COOC_API int cooc_measure_find(const char *name,
                               const struct cooc_measure **measure,
                               struct cooc_err *err);

/* The value of a measure: a number or an infinity, never NaN; 0 for a table
 * that cannot exist, for example with count > fx. */
COOC_API double cooc_score(const struct cooc_pair *pair,
                           const struct cooc_measure *measure);

/* A measure with its parameters; all zero means the count. */
struct cooc_scoring {
    const struct cooc_measure *measure;
    bool reverse;             /* directed measures: from y to x */
    double shift;             /* pmi, ppmi: subtract log2(shift); 0: 1 */
    double smoothing;         /* pmi, ppmi: exponent of fy, up to 10; 0: 1 */
    uint64_t reserved[4];
};

/* ---- queries --------------------------------------------------------- */

#define COOC_ALL SIZE_MAX

/* Which pairs, and in which order. */
struct cooc_rank_options {
    size_t size;
    struct cooc_scoring scoring;
    size_t limit;             /* 0: 20; COOC_ALL: all of them */
    uint64_t min_count;
    bool has_min_score;
    double min_score;         /* at least as strong as this */
    uint64_t min_df, max_df;  /* of both terms; top: of the partner; 0: any */
    const uint32_t *exclude;  /* skip pairs that contain one of these terms */
    size_t n_exclude;
    bool rarer, commoner;     /* top: only rarer, or more frequent, partners */
    unsigned threads;         /* pairs: 0: every core */
    const struct cooc_watch *watch; /* pairs: progress and cancelling */
    /* pairs: one term must match like1 and the other like2, in either role;
     * with only one of them, at least one term must match it.  Patterns as in
     * struct cooc_term_filter; NULL: any term. */
    const char *like1, *like2;
};
#define COOC_RANK_OPTIONS COOC_INIT(cooc_rank_options)

struct cooc_hit {
    struct cooc_pair pair;
    double score;
};

enum cooc_match { COOC_MATCH_ALL, COOC_MATCH_ANY };
#define COOC_NO_TERM UINT32_MAX

/* The strongest partners of the documents that contain all, or any, of
 * terms[0..n_terms), strongest first.  In the hits, y is the partner, x is the
 * only term given or else COOC_NO_TERM, and fx is the number of those
 * documents.  Works on a store that is only indexed. */
COOC_API int cooc_top(struct cooc *db, const uint32_t *terms, size_t n_terms,
                      enum cooc_match match,
                      const struct cooc_rank_options *options,
                      struct cooc_hit **hits, size_t *n, struct cooc_err *err);

struct cooc_entry {
    uint32_t term, reserved;
    uint64_t count;
};

/* All partners of x with their counts, ids ascending, x itself excluded.
 * Works on a store that is only indexed. */
COOC_API int cooc_row(struct cooc *db, uint32_t x, struct cooc_entry **entries,
                      size_t *n, struct cooc_err *err);

/* The documents that contain all, or any, of the terms, ascending. */
COOC_API int cooc_docs(struct cooc *db, const uint32_t *terms, size_t n_terms,
                       enum cooc_match match, uint32_t **docs, size_t *n,
                       struct cooc_err *err);

/* ---- queries without allocation -------------------------------------- */

/* Memory for the results of one thread.  It may be used with any number of
 * stores, one after the other; once warm, calls do not allocate. */
struct cooc_scratch;
COOC_API int cooc_scratch_new(struct cooc_scratch **out, struct cooc_err *err);
COOC_API void cooc_scratch_free(struct cooc_scratch *scratch);

/* As cooc_top(), cooc_row() and cooc_docs(); the results belong to scratch and
 * live until its next use. */
COOC_API int cooc_top_into(struct cooc_scratch *scratch, struct cooc *db,
                           const uint32_t *terms, size_t n_terms,
                           enum cooc_match match,
                           const struct cooc_rank_options *options,
                           const struct cooc_hit **hits, size_t *n,
                           struct cooc_err *err);
COOC_API int cooc_row_into(struct cooc_scratch *scratch, struct cooc *db,
                           uint32_t x, const struct cooc_entry **entries,
                           size_t *n, struct cooc_err *err);
COOC_API int cooc_docs_into(struct cooc_scratch *scratch, struct cooc *db,
                            const uint32_t *terms, size_t n_terms,
                            enum cooc_match match, const uint32_t **docs,
                            size_t *n, struct cooc_err *err);

/* An iterator over rows [first, last) of a counted store, for one thread. */
struct cooc_rows;
COOC_API int cooc_rows_open(struct cooc_rows **out, struct cooc *db,
                            uint32_t first, uint32_t last,
                            struct cooc_err *err);
/* Returns 1 and the next row, entries ascending, valid until the next call; 0
 * after the last row; or a negative error code. */
COOC_API int cooc_rows_next(struct cooc_rows *rows, uint32_t *term,
                            const struct cooc_entry **entries, size_t *n,
                            struct cooc_err *err);
COOC_API void cooc_rows_close(struct cooc_rows *rows);

#ifdef __cplusplus
}
#endif
#endif
