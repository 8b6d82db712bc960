/* cooc_bulk.h - many pairs or terms per call: the strongest pairs of a store,
 * all pairs as a stream, similar terms, lists of words, sparse matrices,
 * statistics.
 *
 * Errors, structs, ownership and threads are as in cooc.h.
 */
#ifndef COOC_BULK_H
#define COOC_BULK_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- all pairs ------------------------------------------------------- */

/* The strongest pairs of the store, x the more frequent term.  Needs counted
 * rows.  The result takes 48 bytes per pair, and as much again while it is
 * sorted; with COOC_ALL these are all pairs of the store, which may be
 * billions.  cooc_pairs_each() needs no memory per pair. */
COOC_API int cooc_pairs(struct cooc *db,
                        const struct cooc_rank_options *options,
                        struct cooc_hit **hits, size_t *n,
                        struct cooc_err *err);

/* Called for each pair, never concurrently.  Return 0 to continue; any other
 * value ends the call, which returns it. */
typedef int (*cooc_hit_fn)(void *self, const struct cooc_hit *hit,
                           struct cooc_err *err);
typedef int (*cooc_pair_fn)(void *self, const struct cooc_pair *pair,
                            struct cooc_err *err);

/* Every pair that passes the options, in the order of the rows: y ascending,
 * then x ascending.  limit and threads are ignored.  Needs counted rows. */
COOC_API int cooc_pairs_each(struct cooc *db,
                             const struct cooc_rank_options *options,
                             cooc_hit_fn fn, void *self, struct cooc_err *err);

/* ---- similar terms --------------------------------------------------- */

/* Which terms are compared, and how.  The vector of a term x has one weight per
 * context y, which is one of the most frequent terms: the scoring of the pair
 * (x, y), or 0 if y is x or the two never occur together. */
struct cooc_similar_options {
    size_t size;
    struct cooc_scoring scoring; /* the weight; measure NULL: ppmi */
    size_t limit;             /* similar terms per term; 0: 20; COOC_ALL: all
                               * of them */
    size_t contexts;          /* number of contexts; 0: 10000; COOC_ALL: all
                               * terms */
    uint64_t min_df;          /* of a similar term; 0: 10 */
    bool has_min_score;
    double min_score;         /* at least as similar as this */
    unsigned threads;         /* 0: every core */
    const struct cooc_watch *watch;
};
#define COOC_SIMILAR_OPTIONS COOC_INIT(cooc_similar_options)

/* The terms that are used most like each of terms[0..n_terms): the score of a
 * hit is the cosine of the vectors of x, the given term, and y, the similar
 * one, rounded to 12 decimals.  The hits of the first term come first; those of
 * one term are in descending order of the score, then ascending ids.  A vector
 * of zeros is similar to no other.
 *
 * One pass over the counted rows compares up to 64 terms with all others; the
 * results do not depend on the number of threads.  An open store keeps the
 * norms of all vectors with the last weight and number of contexts, 8 bytes per
 * term, which makes later calls faster.  Needs counted rows. */
COOC_API int cooc_similar(struct cooc *db, const uint32_t *terms,
                          size_t n_terms,
                          const struct cooc_similar_options *options,
                          struct cooc_hit **hits, size_t *n,
                          struct cooc_err *err);

/* ---- lists of terms -------------------------------------------------- */

/* As cooc_term_find() for n words.  If some of them are several words and not
 * phrases of the store, the error names them all. */
COOC_API int cooc_terms_find(struct cooc *db, const char *const *words,
                             const size_t *lens, size_t n, uint32_t *terms,
                             struct cooc_err *err);

/* As cooc_term_find(), without suggestions: *found is false if there is no
 * such term, and the call succeeds.  Several words that are not a phrase of the
 * store are COOC_EINVAL. */
COOC_API int cooc_term_lookup(struct cooc *db, const char *word, size_t len,
                              uint32_t *term, bool *found,
                              struct cooc_err *err);

/* The words of a file, one per line, as ids without repetition, in the order
 * of the file.  Empty lines and comments ("# ...") are skipped.  Lines of
 * several words must be phrases of the store. */
struct cooc_list {
    size_t size;
    uint32_t *terms;          /* to be freed with cooc_free() */
    size_t n;
    size_t unknown;           /* number of words that are not terms */
    char first_unknown[64];   /* the first word that is not a term, or "" */
};
#define COOC_LIST COOC_INIT(cooc_list)

COOC_API int cooc_list_read(struct cooc *db, const char *path,
                            struct cooc_list *out, struct cooc_err *err);

/* The terms that match a pattern (like in struct cooc_term_filter), the most
 * frequent first.  COOC_ENOTFOUND if there is none. */
COOC_API int cooc_list_like(struct cooc *db, const char *pattern,
                            struct cooc_list *out, struct cooc_err *err);

/* Every term of xs with every term of ys, in the order of the arrays.  Pairs
 * that never occur together are included, a term with itself is not. */
COOC_API int cooc_between(struct cooc *db, const uint32_t *xs, size_t n_xs,
                          const uint32_t *ys, size_t n_ys, cooc_pair_fn fn,
                          void *self, struct cooc_err *err);
/* Every pair of terms[0..n) once, pairs that never occur together included. */
COOC_API int cooc_within(struct cooc *db, const uint32_t *terms, size_t n,
                         cooc_pair_fn fn, void *self, struct cooc_err *err);

/* The scores of x with each entry's term, into out[0..n). */
COOC_API int cooc_scores(struct cooc *db, const struct cooc_scoring *scoring,
                         uint32_t x, const struct cooc_entry *entries,
                         size_t n, double *out, struct cooc_err *err);

/* The document frequencies of the terms [first, last), into
 * df[0..last - first). */
COOC_API int cooc_term_dfs(struct cooc *db, uint32_t first, uint32_t last,
                           uint64_t *df, struct cooc_err *err);

/* ---- matrices -------------------------------------------------------- */

/* The pairs among terms[0..n) as a sparse matrix in compressed rows: row i is
 * terms[i], its entries are those from starts[i] up to starts[i + 1].  Pairs
 * that never occur together have no entry.  All arrays belong to the caller. */
struct cooc_matrix {
    size_t size;
    const uint32_t *terms;    /* without repetition; NULL: 0 to n - 1 */
    size_t n;
    uint64_t min_count;
    bool symmetric;           /* both halves; otherwise each pair only in the
                               * row of its rarer term */
    bool diagonal;            /* a term with itself: its df */
    struct cooc_scoring scoring; /* what scores are */
    uint64_t *starts;         /* room for n + 1 */
    uint32_t *columns;        /* room for starts[n], as in the next two */
    uint32_t *counts;         /* NULL: not wanted */
    double *scores;           /* NULL: not wanted */
    const struct cooc_watch *watch;
};
#define COOC_MATRIX COOC_INIT(cooc_matrix)

/* First fill starts, then, with room for starts[n] entries, the others.  The
 * columns of a row ascend if terms do.  Both need counted rows. */
COOC_API int cooc_matrix_size(struct cooc *db, const struct cooc_matrix *m,
                              struct cooc_err *err);
COOC_API int cooc_matrix_fill(struct cooc *db, const struct cooc_matrix *m,
                              struct cooc_err *err);

/* ---- statistics ------------------------------------------------------ */

/* The number of distinct terms per document; reads the length of every
 * document. */
struct cooc_lengths {
    size_t size;
    uint64_t shortest, longest;
    double mean, sd;
};
#define COOC_LENGTHS COOC_INIT(cooc_lengths)

COOC_API int cooc_lengths_get(struct cooc *db, struct cooc_lengths *out,
                              struct cooc_err *err);

/* Estimate what row_bytes of this store would be with COOC_ROWS_FULL; takes
 * about 10 milliseconds. */
COOC_API int cooc_full_bytes(struct cooc *db, uint64_t *bytes,
                             struct cooc_err *err);

/* The manifest as JSON; lives until cooc_close(). */
COOC_API const char *cooc_manifest(const struct cooc *db);

/* The versions of the rules that made terms of the documents, for example
 * "reading 2, words 2, ICU 72.1"; several are separated by "; ".  Lives until
 * cooc_close(). */
COOC_API const char *cooc_rule_versions(const struct cooc *db);

#ifdef __cplusplus
}
#endif
#endif
