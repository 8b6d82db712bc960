/* cooc.h - exact document co-occurrence counts for every pair of terms.
 *
 *     cooc_index()   documents           -> a store with the collection
 *     cooc_count()   a store             -> the same store with all pairs
 *     cooc_merge()   stores              -> one store of all their documents
 *     cooc_add()     a store, documents  -> the store with those as well
 *     cooc_open()    a store             -> questions and answers
 *
 * A store is a directory.  Terms have dense ids: id 0 is the term found in
 * most documents, ties in byte order.  The row of term t holds every term
 * s < t that shares a document with t, so a pair lives in one row only.
 *
 * Errors     Functions that can fail return 0 or a negative COOC_E* code and
 *            fill *err (which may be NULL) with a sentence for the user.  A
 *            pointer they were to hand out is NULL then.
 * Options    Set them with the _init function, then change what you like;
 *            NULL for options means all defaults, NULL for a report, none.
 * Threads    An open store may be read from several threads at once.
 * Output     The library never prints, never exits, keeps no globals.
 * Paths      Relative to the working directory at the start of the call.
 */
#ifndef COOC_H
#define COOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COOC_API __attribute__((visibility("default")))
#define COOC_VERSION "0.1.0"

/* ---- errors ---------------------------------------------------------- */

enum {
    COOC_OK = 0,
    COOC_ENOMEM = -1,     /* out of memory */
    COOC_EIO = -2,        /* the system refused to read or write */
    COOC_EFORMAT = -3,    /* damaged, truncated or foreign data */
    COOC_EVERSION = -4,   /* a store of a newer format */
    COOC_EINVAL = -5,     /* an argument or option makes no sense */
    COOC_ENOTFOUND = -6,  /* no such term, file or store */
    COOC_EEXISTS = -7,    /* the store is there already */
    COOC_EBUSY = -8,      /* the store is being written already */
    COOC_ELIMIT = -9,     /* past a stated limit */
    COOC_ENOTCOUNTED = -10, /* the store holds no pairs yet */
    COOC_ECANCELLED = -11,  /* the progress hook asked to stop */
    COOC_EFULL = -12,     /* the disk or a quota is full, or would be */
};

struct cooc_err {
    int code;
    char text[512];
};

/* ---- progress -------------------------------------------------------- */

struct cooc_progress {
    const char *phase;    /* "reading", "counting", ... */
    const char *unit;     /* what done and total are counted in */
    uint64_t done, total; /* total is 0 while unknown */
    uint64_t documents;   /* so far; 0 where it means nothing */
    uint64_t pairs;       /* so far; 0 where it means nothing */
    uint64_t bytes;       /* written in this phase; 0 likewise */
};

/* What a count will take; pairs and bytes are guessed from some rows. */
struct cooc_estimate {
    uint64_t increments;      /* exact */
    uint64_t pairs;           /* distinct */
    uint64_t row_bytes;       /* row files on disk */
    uint32_t parts;           /* rows are written in so many files */
    uint32_t parts_kept;      /* an earlier count finished these: verified */
    uint32_t parts_dropped;   /* these were damaged or not of this count */
    uint64_t needed;          /* bytes to have free for what is missing */
    uint64_t available;       /* bytes that are free */
    uint32_t batches;         /* of documents; 0: all at once */
    uint64_t temporary;       /* bytes of temporary files */
    bool temporary_apart;     /* on another disk; otherwise part of needed */
    uint64_t temporary_available; /* free bytes there, if temporary_apart */
};

/* Callbacks, never called concurrently; each may be NULL.  Return non-zero to
 * cancel.  progress: called periodically.  estimate: called once, before
 * counting.  warning: text is one sentence about the input. */
struct cooc_watch {
    int (*progress)(void *self, const struct cooc_progress *p);
    void *self;
    int (*estimate)(void *self, const struct cooc_estimate *e);
    void (*warning)(void *self, const char *text);
};

/* ---- documents in ---------------------------------------------------- */

struct cooc_index_options {
    const char *format;       /* NULL: recognise; else a name as in "lines" */
    const char *encoding;     /* NULL: UTF-8; else any name ICU knows */
    const char *text_fields;  /* "a.b,c"; NULL: "text" (trec: all text) */
    const char *id_field;     /* jsonl: NULL: "id" */
    const char *vocab_file;   /* uci, ldac, svmlight: a term a line */
    const char *separators;   /* transactions: NULL: blank, tab, comma */
    bool zero_based;          /* svmlight with a vocabulary: from 0 */

    const char *tokens;       /* NULL or "words"; "whitespace" */
    bool keep_case;
    bool drop_numbers;
    uint32_t min_length;      /* characters; 0: no limit */
    uint32_t max_length;      /* characters; 0: no limit */
    const char *stop_file;    /* a word a line */
    const char *stem;         /* a Snowball language */
    const char *thesaurus_file; /* variant TAB preferred */

    uint64_t min_df;          /* documents; 0: no limit */
    uint64_t max_df;          /* documents; 0: no limit */
    double max_df_share;      /* of all documents, 0..1; 0: no limit */
    uint32_t top_terms;       /* keep only so many; 0: all */
    const char *terms_file;   /* keep only these, a word a line */
    uint32_t max_doc_terms;   /* keep the first so many of a document */

    unsigned threads;         /* 0: every core */
    uint64_t memory;          /* bytes; 0: half of the machine's */
    bool replace;             /* an existing store of that name */
    bool then_count;          /* cooc_count() follows: see cooc_index() */
    struct cooc_watch watch;
};

/* What was read and what was dropped on the way. */
struct cooc_index_report {
    char format[64];          /* taken for this, as in "lines, jsonl" */
    uint64_t documents, terms, postings, tokens;
    uint64_t input_bytes;     /* of text, after decompression */
    uint64_t invalid_bytes;   /* replaced by U+FFFD */
    uint64_t skipped_inputs;  /* hidden files, binary or empty records */
    uint64_t skipped_stores;  /* stores in input folders */
    uint64_t dropped_stop, dropped_short, dropped_long, dropped_numbers;
    uint64_t dropped_thesaurus;           /* no preferred term */
    uint64_t merged_thesaurus;            /* tokens renamed */
    uint64_t capped_documents, capped_tokens; /* by max_doc_terms */
    uint64_t dropped_terms_min_df, dropped_terms_max_df;
    uint64_t dropped_terms_list, dropped_terms_top;
    uint64_t dropped_postings;            /* of all dropped terms */
    uint64_t spilled_bytes;               /* written to temporary files */
    double seconds_read, seconds_order, seconds_write;
    unsigned threads;
    uint64_t memory;          /* allowed */
    bool resumed;             /* then_count: the store was there, of the same */
    bool resumable;           /* ... or will be found like that */
    const char *differs;      /* ... or was made otherwise, as in "with
                               * other options"; NULL: not known */
};

/* The name of the i-th input format, NULL past the last. */
COOC_API const char *cooc_format(unsigned i);

COOC_API void cooc_index_options_init(struct cooc_index_options *o);

/* Read every input ("-" is standard input, a directory is walked) and make
 * a new store.  It appears under its name only when it is complete.  With
 * options->replace an old store of that name goes, but nothing else does.
 * With options->then_count a store that is not counted yet, made like that of
 * the same inputs, unchanged since, with the same options, stays and will do:
 * so the two calls can be repeated until both succeed. */
COOC_API int cooc_index(const char *const *inputs, size_t n_inputs,
                        const char *store,
                        const struct cooc_index_options *options,
                        struct cooc_index_report *report,
                        struct cooc_err *err);

/* ---- pairs ----------------------------------------------------------- */

#define COOC_COUNT_MEMORY_MIN ((uint64_t)64 << 20)
#define COOC_COSTLY_DF_MAX 255
/* Which rows are written.  Readers have the others from the documents, so
 * that both kinds of store answer alike. */
enum cooc_written {
    COOC_ROWS_ALL,    /* but of terms in one document: prefixes of it */
    COOC_ROWS_COSTLY, /* except those of terms in few documents */
    COOC_ROWS_AS_BEFORE, /* default: like the store, or like all stores to merge
                          * (and the same costly_df); otherwise ALL */
};

struct cooc_count_options {
    const char *method;       /* NULL: the default; see cooc_method() */
    unsigned threads;         /* 0: every core */
    uint64_t memory;          /* bytes of the process, at least
                                 COOC_COUNT_MEMORY_MIN; 0: half of the
                                 machine's */
    uint64_t batch_postings;  /* not 0: in batches of about so many */
    const char *tmpdir;       /* NULL: inside the store */
    uint64_t flush_pairs;     /* naive */
    uint32_t block_terms;     /* list-blocks; 0: sqrt of the vocabulary */
    uint32_t accumulators;    /* multi-scan */
    uint32_t head_terms;      /* bit-scan: in bitmaps; 0: chosen by cost */
    const char *kernel;       /* bit-scan: NULL: the CPU's best; "scalar" */
    enum cooc_written rows;
    uint32_t costly_df;       /* with COOC_ROWS_COSTLY: leave out rows of
                               * terms in at most costly_df documents; 0:
                               * chosen by cost */
    bool recount;             /* a store that is counted already */
    bool ignore_space;        /* count even if the disk seems too small */
    struct cooc_watch watch;
};

struct cooc_count_report {
    const char *method;
    unsigned threads;         /* that had work */
    uint64_t increments;      /* sum of all counts */
    uint64_t pairs;           /* distinct, in all rows */
    uint32_t left_out_df;     /* rows of terms up to this df are left out, */
    uint64_t left_out_rows, left_out_pairs; /* which are so many */
    uint64_t row_bytes;       /* row files on disk */
    uint64_t batches;         /* of documents; 0: all at once */
    uint64_t temporary_bytes; /* written for them */
    double seconds;
    const char *kernel;
    uint32_t head_terms;      /* bit-scan: in bitmaps, if any were made; of
                                 batches the most */
    uint64_t memory;          /* allowed */
    uint32_t parts, parts_done; /* files of rows; finished ones are kept */
    struct cooc_estimate estimate; /* needed is new after COOC_EFULL */
};

struct cooc_method {
    const char *name, *summary;
};

/* The i-th counting method, NULL past the last; 0 is the default. */
COOC_API const struct cooc_method *cooc_method(unsigned i);

COOC_API void cooc_count_options_init(struct cooc_count_options *o);

/* Count every pair and add the rows to the store.  COOC_EEXISTS if that is
 * done already, unless options->recount; COOC_EFULL if the disk seems too
 * small, unless options->ignore_space.  Rows are written in parts: a count
 * that failed, was stopped or killed is continued by the next, which verifies
 * and keeps the finished ones.  The report tells of them after a failure
 * too. */
COOC_API int cooc_count(const char *store,
                        const struct cooc_count_options *options,
                        struct cooc_count_report *report,
                        struct cooc_err *err);

/* ---- an open store --------------------------------------------------- */

struct cooc;

/* Open a store, counted or not, for reading; costs milliseconds whatever its
 * size.  COOC_EFORMAT for what is no store or lacks a part, COOC_EVERSION for
 * one of a newer format.  What it reads later is verified before it is used:
 * any function may return COOC_EFORMAT then.  cooc_close() accepts NULL. */
COOC_API int cooc_open(struct cooc **out, const char *store,
                       struct cooc_err *err);
COOC_API void cooc_close(struct cooc *db);

struct cooc_info {
    uint64_t documents, terms, postings, tokens;
    uint64_t increments;      /* sum over documents of n(n-1)/2 */
    bool counted;
    uint64_t pairs;           /* when counted, as are these: */
    enum cooc_written rows;   /* COSTLY if left_out_df is above 1 */
    uint32_t left_out_df;     /* rows of terms up to this df are left out, */
    uint64_t left_out_rows, left_out_pairs; /* which are so many */
    uint64_t row_bytes, store_bytes;
    uint64_t shortest, longest;   /* distinct terms of a document */
    double mean_length, sd_length;
};

/* Facts about the collection; looks at the length of every document. */
COOC_API int cooc_info(struct cooc *db, struct cooc_info *out,
                       struct cooc_err *err);

/* Estimate what row_bytes would be if no row were left out, from a few hundred
 * of the rows that are; takes about 10 milliseconds. */
COOC_API int cooc_full_bytes(struct cooc *db, uint64_t *bytes,
                             struct cooc_err *err);

/* The manifest, as JSON text; lives until cooc_close(). */
COOC_API const char *cooc_manifest(const struct cooc *db);

/* Find the term that cooc_term() shows as word[0..len); if there is none, fold
 * and stem the word like the documents' words and find that term.
 * COOC_ENOTFOUND suggests close spellings; COOC_EINVAL: not a single word. */
COOC_API int cooc_find(struct cooc *db, const char *word, size_t len,
                       uint32_t *id, struct cooc_err *err);

/* The same for many words: one that is no term leaves *found false and is no
 * error.  No spellings are suggested, which means a look at every term. */
COOC_API int cooc_look_up(struct cooc *db, const char *word, size_t len,
                          uint32_t *id, bool *found, struct cooc_err *err);

/* The words of a file, one a line, as ids in their order, each once.  Empty
 * lines and comments ("# ..."; "#metoo" is none) are passed over.  Words that
 * are no terms are counted, the first is kept. */
struct cooc_list {
    uint32_t *ids;
    size_t n;
    size_t unknown;
    char first_unknown[64];
};

COOC_API int cooc_list_read(struct cooc *db, const char *path,
                            struct cooc_list *out, struct cooc_err *err);
COOC_API void cooc_list_release(struct cooc_list *list);

/* Which terms; all zero is all of them.  Prefix and pattern are folded like
 * the documents' words, but never stemmed: they match the names that
 * cooc_term() returns. */
struct cooc_term_choice {
    const char *prefix;      /* NULL: any */
    const char *like;        /* NULL: any; a pattern, of all of the term: '*',
                                '?', "[a-z]", "[!a]"; what follows a
                                backslash stands for itself */
    uint64_t min_df, max_df; /* documents; 0: any */
    size_t limit;            /* 0: all */
};

/* Their ids, ascending: the most frequent first.  *ids is the caller's:
 * cooc_terms_free(). */
COOC_API int cooc_terms(struct cooc *db, const struct cooc_term_choice *choice,
                        uint32_t **ids, size_t *n, struct cooc_err *err);
COOC_API void cooc_terms_free(uint32_t *ids);

/* Terms are numbered from 0 to terms - 1, documents from 0 to documents - 1;
 * any other id is COOC_EINVAL.  Names are not NUL-terminated and live until
 * cooc_close().  In a stemmed store cooc_term() gives the label of the term,
 * its most frequent word, and cooc_stem() the stem; in other stores both give
 * the term. */
COOC_API int cooc_stem(struct cooc *db, uint32_t id, const char **name,
                       size_t *len, struct cooc_err *err);
/* Whether cooc_term() and exports give stems instead of labels (default:
 * labels).  Call it before other threads use db. */
COOC_API void cooc_show_stems(struct cooc *db, bool show);
COOC_API int cooc_term(struct cooc *db, uint32_t id, const char **name,
                       size_t *len, struct cooc_err *err);
COOC_API int cooc_document(struct cooc *db, uint32_t doc, const char **name,
                           size_t *len, struct cooc_err *err);

/* In how many documents a term occurs. */
COOC_API int cooc_df(struct cooc *db, uint32_t id, uint64_t *df,
                     struct cooc_err *err);

/* The terms of a document, ascending; the documents of a term, ascending. */
COOC_API int cooc_document_terms(struct cooc *db, uint32_t doc,
                                 const uint32_t **terms, uint64_t *n,
                                 struct cooc_err *err);
COOC_API int cooc_term_documents(struct cooc *db, uint32_t id,
                                 const uint32_t **docs, uint64_t *n,
                                 struct cooc_err *err);

/* ---- measures -------------------------------------------------------- */

/* Two terms in N documents: df_x, df_y and count hold the whole table. */
struct cooc_pair {
    uint32_t x, y;
    uint64_t count, df_x, df_y, documents;
};

struct cooc_entry {
    uint32_t term, count;
};

/* A row of the table that `cooc measures` prints. */
struct cooc_measure {
    const char *name;     /* "npmi" */
    const char *title;    /* "normalised PMI" */
    const char *formula;  /* in a, b, c, d, N, fx, fy and E */
    const char *range;
    const char *zero;     /* what cells of zero give */
    bool directed;        /* from x to y is not from y to x */
    bool lower;           /* small values are the strong ones */
};

/* The i-th measure, NULL past the last; 0 is the count itself. */
COOC_API const struct cooc_measure *cooc_measure(unsigned i);
COOC_API int cooc_measure_find(const char *name,
                               const struct cooc_measure **m,
                               struct cooc_err *err);
/* A number or an infinity, never NaN; 0 for a table that cannot be, as with
 * count > df, and for an unknown measure.  m may be a copy. */
COOC_API double cooc_score(const struct cooc_pair *p,
                           const struct cooc_measure *m);

/* A measure and how to take it; all zero is the count. */
struct cooc_by {
    const struct cooc_measure *measure; /* may be a copy; NULL: the count */
    bool reverse;         /* directed ones: from y to x */
    double shift;         /* pmi, ppmi: minus its log2; 0: 1, no shift */
    double smoothing;     /* pmi, ppmi: df_y to this power, up to 10; 0: 1 */
};

/* Scores of the pairs of x and each entry's term into out[0..n). */
COOC_API int cooc_scores(struct cooc *db, const struct cooc_by *by,
                         uint32_t x, const struct cooc_entry *entries,
                         size_t n, double *out, struct cooc_err *err);

/* ---- questions ------------------------------------------------------- */

/* How often two terms meet: microseconds in a counted store, but needs no
 * counted rows.  x == y gives df. */
COOC_API int cooc_pair(struct cooc *db, uint32_t x, uint32_t y,
                       struct cooc_pair *out, struct cooc_err *err);

/* Which pairs, in which order; see cooc_choice_init(). */
struct cooc_choice {
    struct cooc_by by;
    uint64_t min_count;   /* documents */
    double min_score;     /* at least as strong as this; NAN: any */
    uint64_t min_df, max_df; /* of both terms; of top's partners; 0: any */
    const uint32_t *exclude; /* pairs with these terms are left out */
    size_t n_exclude;
    bool rarer, commoner; /* top: only partners that are so; not both */
    size_t limit;         /* 0: all, which may be billions */
    unsigned threads;     /* pairs: 0: every core */
    struct cooc_watch watch;
};

COOC_API void cooc_choice_init(struct cooc_choice *c);

struct cooc_hit {
    struct cooc_pair pair;
    double score;
};

#define COOC_SEVERAL UINT32_MAX /* instead of a term's id */

/* What terms occur with: the strongest partners of the documents that hold
 * all of terms[0..n_terms), or any of them; best first.  x of the hits is
 * that term, or COOC_SEVERAL, and df_x the number of those documents.
 * choice NULL: the 20 most frequent.  *hits is the caller's:
 * cooc_hits_free(). */
enum cooc_join { COOC_ALL_OF, COOC_ANY_OF };

COOC_API int cooc_top(struct cooc *db, const uint32_t *terms, size_t n_terms,
                      enum cooc_join join, const struct cooc_choice *choice,
                      struct cooc_hit **hits, size_t *n,
                      struct cooc_err *err);

/* The strongest pairs of all, x the more frequent term; needs counted
 * rows. */
COOC_API int cooc_pairs(struct cooc *db, const struct cooc_choice *choice,
                        struct cooc_hit **hits, size_t *n,
                        struct cooc_err *err);
COOC_API void cooc_hits_free(struct cooc_hit *hits);

/* Every partner of x with its count, rarer and more frequent alike, ids
 * ascending, x itself left out.  Needs no counted rows. */
COOC_API int cooc_row(struct cooc *db, uint32_t x,
                      struct cooc_entry **entries, size_t *n,
                      struct cooc_err *err);
COOC_API void cooc_row_free(struct cooc_entry *entries);

/* Called for each pair, x from the first list; non-zero means: stop, and is
 * returned. */
typedef int (*cooc_pair_fn)(void *self, const struct cooc_pair *pair,
                            struct cooc_err *err);

/* Every term of xs with every term of ys, in the order of the lists, pairs
 * that never meet included; a term with itself left out. */
COOC_API int cooc_between(struct cooc *db, const uint32_t *xs, size_t n_xs,
                          const uint32_t *ys, size_t n_ys, cooc_pair_fn fn,
                          void *self, struct cooc_err *err);
/* Every pair of the list once. */
COOC_API int cooc_within(struct cooc *db, const uint32_t *terms, size_t n,
                         cooc_pair_fn fn, void *self, struct cooc_err *err);

/* The documents that hold x and y (x alone if y == x), ascending.
 * *docs is the caller's: cooc_docs_free(). */
COOC_API int cooc_docs(struct cooc *db, uint32_t x, uint32_t y,
                       uint32_t **docs, size_t *n, struct cooc_err *err);
/* Those that hold all of terms[0..n_terms), or any of them. */
COOC_API int cooc_docs_of(struct cooc *db, const uint32_t *terms,
                          size_t n_terms, enum cooc_join join,
                          uint32_t **docs, size_t *n, struct cooc_err *err);
COOC_API void cooc_docs_free(uint32_t *docs);

/* ---- rows ------------------------------------------------------------ */

struct cooc_rows;             /* an iterator; one thread each */

/* Rows [first, last) of a counted store, in order, entries ascending. */
COOC_API int cooc_rows_open(struct cooc_rows **out, struct cooc *db,
                            uint32_t first, uint32_t last,
                            struct cooc_err *err);
/* 1: a row (its entries live until the next call); 0: no more; < 0. */
COOC_API int cooc_rows_next(struct cooc_rows *rows, uint32_t *term,
                            const struct cooc_entry **entries, size_t *n,
                            struct cooc_err *err);
COOC_API void cooc_rows_close(struct cooc_rows *rows);

#ifdef __cplusplus
}
#endif
#include "cooc_check.h" /* cooc_check(), cooc_rules() */
#include "cooc_export.h" /* cooc_export(), cooc_dump() */
#include "cooc_foreign.h" /* cooc_matrix_size() and the like */
#include "cooc_merge.h" /* cooc_merge(), cooc_add() */
#endif
