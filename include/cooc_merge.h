/* cooc_merge.h - several stores become one, a store grows; a part of cooc.h.
 *
 * Both make the bytes that cooc_index() and cooc_count() of all documents
 * would have made.  Documents cannot be taken out of a store.
 */
#ifndef COOC_MERGE_H
#define COOC_MERGE_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the counts of a merged store come from; the bytes are the same. */
enum cooc_pairs_from {
    COOC_FROM_CHEAPER,   /* whatever takes less time, by estimate */
    COOC_FROM_ROWS,      /* rows of the stores, added up: all are counted */
    COOC_FROM_DOCUMENTS, /* the united documents, counted */
};

struct cooc_merge_options {
    enum cooc_pairs_from pairs_from;
    uint64_t batch_pairs;     /* FROM_ROWS: sort so many pairs at a time; 0:
                                 as the memory allows */
    bool replace;             /* an existing store of that name */
    bool accept_rules;        /* unite stores that were read by different
                                 versions of cooc or ICU, which may have made
                                 different terms from the same text;
                                 cooc_rules() lists the versions */
    struct cooc_count_options count; /* its threads, memory and watch are for
                                        all of the work */
};

struct cooc_merge_report {
    uint64_t stores, documents, terms, postings, tokens;
    uint64_t temporary_bytes; /* to unite the documents */
    double seconds_unite;
    bool counted;             /* then these are filled: */
    enum cooc_pairs_from pairs_from;
    uint64_t pairs_read;      /* FROM_ROWS: in the rows of the stores */
    struct cooc_count_report count;
};

COOC_API void cooc_merge_options_init(struct cooc_merge_options *o);

/* Make one store of the documents of all stores, in that order.  It is counted
 * if one of the stores is, and appears under its name only when it is
 * complete.
 *
 * COOC_EINVAL if the stores cannot be united exactly, which the error
 * explains: they were made with different settings, or by different versions
 * of the rules (see accept_rules), or terms were dropped by their frequency; a
 * store is given twice; the new one is among them. */
COOC_API int cooc_merge(const char *const *stores, size_t n_stores,
                        const char *out,
                        const struct cooc_merge_options *options,
                        struct cooc_merge_report *report,
                        struct cooc_err *err);

struct cooc_add_options {
    struct cooc_index_options input; /* format, encoding, fields, vocabulary,
                                        separators: a store does not keep them.
                                        The list of terms, if the store was
                                        made with one: another is refused.
                                        The rest is the store's */
    struct cooc_merge_options merge;
    bool adjust_rows;         /* choose rows as merge.count says; otherwise
                                 as when the store was counted */
};

COOC_API void cooc_add_options_init(struct cooc_add_options *o);

/* Add documents to a store; they become terms the way its own did.  Whatever
 * happens, it is the old store or the new one, whole.  indexed tells of the
 * new documents alone. */
COOC_API int cooc_add(const char *store, const char *const *inputs,
                      size_t n_inputs,
                      const struct cooc_add_options *options,
                      struct cooc_index_report *indexed,
                      struct cooc_merge_report *report,
                      struct cooc_err *err);

#ifdef __cplusplus
}
#endif
#endif
