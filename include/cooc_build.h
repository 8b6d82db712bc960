/* cooc_build.h - make stores and change them.
 *
 *     cooc_builder_*()  documents in memory   -> a store, or additions to one
 *     cooc_index()      files                 -> a store with the collection
 *     cooc_count()      a store               -> the same store with all pairs
 *     cooc_merge()      stores                -> one store of all documents
 *     cooc_add()        a store and files     -> the store with these as well
 *     cooc_replace()    a store               -> the same under another name
 *     cooc_check()      a store               -> is every byte of it right?
 *
 * Whatever path documents take, the same documents give the same bytes.  A
 * store appears under its name only when it is complete; after a failure, a
 * kill or a loss of power there is the old store, the new one, or none.
 *
 * Errors, structs and paths are as in cooc.h.  Two calls may not write the
 * same store at the same time: the second returns COOC_EBUSY.
 */
#ifndef COOC_BUILD_API_H
#define COOC_BUILD_API_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- progress and cancelling ----------------------------------------- */

struct cooc_progress {
    size_t size;
    const char *phase;        /* "reading", "counting", ... */
    const char *unit;         /* unit of done and total */
    uint64_t done, total;     /* total is 0 while unknown */
    uint64_t documents;       /* so far, or 0 */
    uint64_t pairs;           /* so far, or 0 */
    uint64_t bytes;           /* written in this phase, or 0 */
    double share;             /* of the predicted time of the whole job, 0 to 1;
                               * negative while unknown */
};

/* What a count will take.  pairs and row_bytes are estimated from a sample of
 * rows, increments is exact. */
struct cooc_estimate {
    size_t size;
    uint64_t increments;      /* sum of all counts */
    uint64_t pairs;           /* number of distinct pairs */
    uint64_t row_bytes;       /* size of the row files */
    uint64_t shards;          /* number of row files */
    uint64_t shards_kept;     /* finished by an earlier count, and verified */
    uint64_t shards_dropped;  /* of an earlier count, damaged or different */
    uint64_t needed;          /* bytes of disk space still needed */
    uint64_t available;       /* bytes of disk space available */
    uint64_t batches;         /* of documents; 0: all at once */
    uint64_t temporary;       /* bytes of temporary files */
    bool temporary_elsewhere; /* on another disk; otherwise part of needed */
    uint64_t temporary_available; /* bytes available on that disk */
};
#define COOC_ESTIMATE COOC_INIT(cooc_estimate)

/* Callbacks, never called concurrently, but possibly from a thread of the
 * library.  Each may be NULL.  Return non-zero to cancel. */
/* Something that an input or a part of it was, other than what most users
 * expect. */
enum cooc_note_kind {
    COOC_NOTE_ENCODING,       /* is not in UTF-8: text is the encoding that was
                               * assumed, unless the file declares it (XML,
                               * HTML) or the options name it */
    COOC_NOTE_INVALID,        /* count bytes were invalid and were replaced */
    COOC_NOTE_BAD,            /* could not be read and was skipped (skip_bad):
                               * text says why */
    COOC_NOTE_BINARY,         /* is not text and was skipped: text says what it
                               * is and the command that converts it, or is
                               * "" */
    COOC_NOTE_EMPTY,          /* is empty; text is "" */
    COOC_NOTE_HIDDEN,         /* is hidden and was skipped; text is "" */
    COOC_NOTE_LINES           /* is plain text, and each line is a document,
                               * because no format was named; text is "" */
};

struct cooc_note {
    size_t size;
    enum cooc_note_kind kind;
    const char *path;         /* of a file, or ARCHIVE/ENTRY */
    uint64_t line;            /* where the record begins, or what follows cannot
                               * be read; 0: all of the file */
    uint64_t count;
    const char *text;
};

struct cooc_watch {
    size_t size;
    void *self;               /* first argument of each */
    /* Called periodically, at least every 100 ms while there is work. */
    int (*progress)(void *self, const struct cooc_progress *p);
    /* Called once, before counting. */
    int (*estimate)(void *self, const struct cooc_estimate *e);
    /* One sentence about the input that the user should read. */
    void (*warning)(void *self, const char *text);
    /* One finding about the inputs, of which there may be any number; what it
     * points to is valid during the call. */
    void (*note)(void *self, const struct cooc_note *n);
};
#define COOC_WATCH COOC_INIT(cooc_watch)

/* ---- documents to terms ---------------------------------------------- */

struct cooc_index_options {
    size_t size;

    /* Files: how to find documents in them. */
    const char *format;       /* NULL: recognise it; or "lines", "jsonl", ... */
    const char *encoding;     /* NULL or "auto": recognise the encoding of each
                               * file; "auto,NAME": NAME if it cannot be
                               * recognised; or NAME, any that ICU knows.  A
                               * byte order mark comes first */
    const char *text_fields;  /* "a.b,c"; NULL: "text" (trec: all text); more
                               * lists may follow, each after a '\n' */
    const char *id_field;     /* NULL: "id" */
    const char *vocab_file;   /* uci, ldac, svmlight: one term per line */
    const char *separators;   /* transactions; NULL: blank, tab, comma */
    bool zero_based;          /* svmlight with a vocabulary: ids from 0 */

    /* Text: which words become terms. */
    const char *tokens;       /* NULL or "words"; "whitespace" */
    bool keep_case;
    bool drop_numbers;
    uint32_t min_length;      /* characters; 0: no limit */
    uint32_t max_length;      /* characters; 0: no limit */
    const char *stop_file;    /* one word or phrase per line */
    const char *stem;         /* a Snowball language */
    const char *thesaurus_file; /* variant TAB preferred */

    /* Terms: which of them are kept. */
    uint64_t min_df;          /* documents; 0: no limit */
    uint64_t max_df;          /* documents; 0: no limit */
    double max_df_share;      /* of all documents, 0 to 1; 0: no limit */
    uint32_t top_terms;       /* number of most frequent terms; 0: all */
    const char *terms_file;   /* only these, one word or phrase per line */
    uint32_t max_doc_terms;   /* first terms of each document; 0: all */

    unsigned threads;         /* 0: every core */
    uint64_t memory;          /* bytes; 0: half of the machine's memory */
    bool replace;             /* replace an existing store of that name */
    bool count_follows;       /* see cooc_index() */
    const struct cooc_watch *watch;

    /* Files: index only share `part` (from 1) of `parts`; 0, 0: everything.
     * Every call with the same inputs and options divides them in the same way.
     * The options under "Terms" other than max_doc_terms must be 0; give them
     * to cooc_merge(), which combines the parts. */
    uint32_t part, parts;

    /* Files: tables and records. */
    const char *delimiter;    /* csv: ",", ";" or any other ASCII character;
                               * NULL: the most frequent of , ; TAB in line 1 */
    bool header;              /* tsv: line 1 has the names of the columns */
    bool no_header;           /* csv: line 1 is a row; columns have numbers */
    const char *split;        /* text fields are lists of terms, separated by
                               * this text; "none": each value is a term; NULL:
                               * text fields are text */
    const char *fold;         /* ready-made terms: "case"; NULL: unchanged */
    const char *group_by;     /* rows with the same value in this column are one
                               * document; NULL: each row is one */
    const char *record;       /* xml: element that is a document */
    const char *column;       /* annotated text: the column that has the terms;
                               * NULL: "form" */
    const char *pos;          /* annotated text: keep only these parts of
                               * speech, as in "NOUN,VERB"; NULL: all */
    bool skip_bad;            /* skip inputs and records that cannot be read */

    /* Text: terms of several words.  Entries of several words in stop_file,
     * thesaurus_file and terms_file are phrases as well. */
    const char *phrases_file; /* one phrase per line */
    bool keep_phrase_words;   /* count the words of a phrase as well */
    const char *merge_terms_file; /* a terms_file that cooc_merge() will get: no
                               * term is dropped now, but its entries of several
                               * words are phrases */
};
#define COOC_INDEX_OPTIONS COOC_INIT(cooc_index_options)

/* What was read, and what was dropped on the way. */
struct cooc_index_report {
    size_t size;
    char format[64];          /* recognised formats, as in "lines, jsonl" */
    uint64_t documents, terms, postings, tokens;
    uint64_t input_bytes;     /* of text, after decompression */
    uint64_t invalid_bytes;   /* replaced by U+FFFD */
    uint64_t skipped_inputs;  /* hidden files, binary or empty records */
    uint64_t skipped_stores;  /* stores in input folders */
    uint64_t dropped_stop, dropped_short, dropped_long, dropped_numbers;
    uint64_t dropped_thesaurus; /* tokens without a preferred term */
    uint64_t merged_thesaurus;  /* tokens replaced by their preferred term */
    uint64_t capped_documents, capped_tokens; /* by max_doc_terms */
    uint64_t dropped_terms_min_df, dropped_terms_max_df;
    uint64_t dropped_terms_list, dropped_terms_top;
    uint64_t dropped_postings;  /* of all dropped terms */
    uint64_t spilled_bytes;     /* written to temporary files */
    double seconds_read, seconds_order, seconds_write;
    unsigned threads;
    uint64_t memory;          /* limit in bytes */
    bool resumed;             /* count_follows: the existing store was kept */
    bool resumable;           /* count_follows: a later call can keep it */
    const char *differs;      /* count_follows: why an existing store was not
                               * kept, as in "with other options", or NULL */
    uint64_t written;         /* identifies the index that was written, for
                               * struct cooc_count_options; 0 if resumed */
    uint64_t bad_files;       /* skip_bad: left out, or left at some point */
    uint64_t bad_records;     /* skip_bad: left out */
    bool ready_made;          /* documents came as terms, not as text */
    uint64_t phrases;         /* occurrences of phrases */
};
#define COOC_INDEX_REPORT COOC_INIT(cooc_index_report)

/* The name of the i-th input format, or NULL after the last. */
COOC_API const char *cooc_format_get(unsigned i);

/* Read every input ("-" is standard input, a directory is searched) and make a
 * new store.  With count_follows, a store of that name that is not counted
 * yet, made with count_follows from the same unchanged inputs and with the
 * same options, is kept: so the calls of cooc_index() and cooc_count() can be
 * repeated until both succeed. */
COOC_API int cooc_index(const char *const *inputs, size_t n_inputs,
                        const char *store,
                        const struct cooc_index_options *options,
                        struct cooc_index_report *report,
                        struct cooc_err *err);

/* ---- pairs ----------------------------------------------------------- */

#define COOC_COUNT_MEMORY_MIN ((uint64_t)64 << 20)
#define COOC_COMPACT_DF_MAX 255

/* Parameters of individual methods; the defaults are good ones. */
struct cooc_tuning {
    size_t size;
    uint64_t batch_postings;  /* count in batches of documents with about this
                               * number of postings; 0: as memory requires */
    uint64_t flush_pairs;     /* naive: pairs in memory */
    uint32_t block_terms;     /* list-blocks; 0: sqrt of the vocabulary */
    uint32_t accumulators;    /* multi-scan: counters in memory */
    uint32_t head_terms;      /* bit-scan: terms with bitmaps; 0: by cost */
    const char *kernel;       /* bit-scan: NULL: the CPU's best; "scalar" */
};
#define COOC_TUNING COOC_INIT(cooc_tuning)

struct cooc_count_options {
    size_t size;
    const char *method;       /* NULL: the default; see cooc_method_get() */
    unsigned threads;         /* 0: every core */
    uint64_t memory;          /* bytes used by the process, at least
                               * COOC_COUNT_MEMORY_MIN; 0: half of the
                               * machine's memory */
    const char *tmpdir;       /* for temporary files; NULL: in the store */
    enum cooc_row_set rows;
    uint32_t compact_df;      /* omit rows of terms with at most this df, which
                               * implies COOC_ROWS_COMPACT; 0: by cost */
    bool recount;             /* count a counted store again */
    bool ignore_space;        /* count even if the disk seems too small */
    const struct cooc_tuning *tuning;
    const struct cooc_watch *watch;
    uint64_t written;         /* from the report of the cooc_index() call with
                               * which this process has just written the store:
                               * its index is not verified again.  0, or if
                               * the store has another index: verify it */
    const char *label;        /* what this process does, as in "part 3/64", for
                               * other processes; NULL: "count" */
    bool rows_known;          /* processes of the same job have just verified
                               * the index, and written or verified every
                               * finished row file: only the seals of row files
                               * are verified, as if this process had written
                               * them.  For cooc_count() */
};
#define COOC_COUNT_OPTIONS COOC_INIT(cooc_count_options)

struct cooc_count_report {
    size_t size;
    struct cooc_estimate *estimate; /* set it to have it filled, or NULL */
    const char *method, *kernel;
    unsigned threads;         /* number of threads that had work */
    uint64_t increments;      /* sum of all counts */
    uint64_t pairs;           /* number of distinct pairs, in all rows */
    uint64_t omitted_df;      /* see struct cooc_info */
    uint64_t omitted_rows, omitted_pairs;
    uint64_t row_bytes;       /* size of the row files */
    uint64_t batches;         /* of documents; 0: all at once */
    uint64_t temporary_bytes; /* written to temporary files */
    uint64_t head_terms;      /* bit-scan: terms with bitmaps */
    uint64_t memory;          /* limit in bytes */
    uint64_t shards;          /* number of row files */
    uint64_t shards_done;     /* number of finished row files */
    double seconds;
};
#define COOC_COUNT_REPORT COOC_INIT(cooc_count_report)

struct cooc_method {
    const char *name, *summary;
};

/* The i-th counting method, or NULL after the last; 0 is the default. */
COOC_API const struct cooc_method *cooc_method_get(unsigned i);

/* Count every pair and add the rows to the store.  COOC_EEXISTS if it is
 * counted already, COOC_EFULL if the disk seems too small.  Rows are written
 * in shards: a count that failed or was killed is continued by the next call,
 * which verifies and keeps finished shards.  The report is filled after a
 * failure too. */
COOC_API int cooc_count(const char *store,
                        const struct cooc_count_options *options,
                        struct cooc_count_report *report,
                        struct cooc_err *err);

/* ---- several stores -------------------------------------------------- */

/* Where the counts of a merged store come from; the bytes are the same. */
enum cooc_merge_from {
    COOC_MERGE_AUTO,          /* whichever is faster, by estimate */
    COOC_MERGE_ROWS,          /* add up the rows; all stores are counted */
    COOC_MERGE_DOCUMENTS      /* count the merged documents */
};

struct cooc_merge_options {
    size_t size;
    enum cooc_merge_from from;
    uint64_t batch_pairs;     /* COOC_MERGE_ROWS: number of pairs to sort at a
                               * time; 0: as memory allows */
    bool replace;             /* replace an existing store of that name */
    bool accept_rules;        /* merge stores whose documents were read by
                               * different versions of cooc or ICU, which may
                               * make different terms of the same text */
    const struct cooc_count_options *count; /* its threads, memory, tmpdir and
                               * watch apply to all of the work */

    /* Terms: which of them are kept, as in struct cooc_index_options.  For
     * cooc_merge() only. */
    uint64_t min_df;          /* documents; 0: no limit */
    uint64_t max_df;          /* documents; 0: no limit */
    double max_df_share;      /* of all documents, 0 to 1; 0: no limit */
    uint32_t top_terms;       /* number of most frequent terms; 0: all */
    const char *terms_file;   /* only these, one word per line */
};
#define COOC_MERGE_OPTIONS COOC_INIT(cooc_merge_options)

struct cooc_merge_report {
    size_t size;
    struct cooc_count_report *count; /* set it to have it filled, or NULL */
    uint64_t stores, documents, terms, postings, tokens;
    uint64_t temporary_bytes; /* written while merging documents */
    double seconds_documents; /* spent on merging documents */
    bool counted;
    enum cooc_merge_from from; /* if counted */
    uint64_t pairs_read;      /* COOC_MERGE_ROWS: in the rows of the stores */
    uint64_t dropped_terms_min_df, dropped_terms_max_df;
    uint64_t dropped_terms_list, dropped_terms_top;
    uint64_t dropped_postings; /* of all dropped terms */
};
#define COOC_MERGE_REPORT COOC_INIT(cooc_merge_report)

/* Make one store of the documents of all stores, in that order; it is counted
 * if one of them is.  If the stores are the parts of an index (see part in
 * struct cooc_index_options), they may be given in any order, and the result is
 * the store that one cooc_index() of all inputs with these filters makes.
 * COOC_EINVAL if it cannot be exact: settings or versions of the rules differ,
 * terms were dropped by frequency, a store is given twice or is the result, or
 * a part is missing or belongs to other inputs. */
COOC_API int cooc_merge(const char *const *stores, size_t n_stores,
                        const char *out,
                        const struct cooc_merge_options *options,
                        struct cooc_merge_report *report,
                        struct cooc_err *err);

struct cooc_add_options {
    size_t size;
    const struct cooc_index_options *input; /* how to read files: format,
                               * encoding, fields, vocabulary, separators; and
                               * terms_file if the store was made with the
                               * same list.  Ignored otherwise */
    const struct cooc_merge_options *merge;
};
#define COOC_ADD_OPTIONS COOC_INIT(cooc_add_options)

/* Add documents to a store, which become terms by the store's own settings.
 * indexed describes the new documents alone. */
COOC_API int cooc_add(const char *store, const char *const *inputs,
                      size_t n_inputs, const struct cooc_add_options *options,
                      struct cooc_index_report *indexed,
                      struct cooc_merge_report *report, struct cooc_err *err);

/* Give the finished store `from` the name `to` in one step; a store that has
 * this name is removed afterwards.  Both must be in the same file system.
 * Readers that have the old store open keep reading it. */
COOC_API int cooc_replace(const char *from, const char *to,
                          struct cooc_err *err);

/* ---- documents from memory ------------------------------------------- */

struct cooc_bytes {
    const char *data;
    size_t len;
};

struct cooc_builder;

/* Begin a new store, as cooc_index() does, or additions to a store, as
 * cooc_add() does.  Options about files (format, encoding, ...) are
 * COOC_EINVAL, except fold, which applies to terms.  Strings and callbacks in
 * the options must stay valid until finish or abort returns. */
COOC_API int cooc_builder_open(struct cooc_builder **out, const char *store,
                               const struct cooc_index_options *options,
                               struct cooc_err *err);
COOC_API int cooc_builder_open_add(struct cooc_builder **out,
                                   const char *store,
                                   const struct cooc_add_options *options,
                                   struct cooc_err *err);

/* Add a document; it is numbered in the order of the calls, and that number is
 * its name if name is NULL.  The bytes are used before the call returns.  All
 * calls of a builder take the same kind of document: text, which is cut into
 * words like any document; or terms, as they are; or the numbers of terms in
 * words[0..n), given before the first document.  Calls from several threads
 * are serialised.  The first error is sticky: later calls return it again. */
COOC_API int cooc_builder_text(struct cooc_builder *b, const char *name,
                               size_t name_len, const char *text, size_t len,
                               struct cooc_err *err);
COOC_API int cooc_builder_terms(struct cooc_builder *b, const char *name,
                                size_t name_len,
                                const struct cooc_bytes *terms, size_t n,
                                struct cooc_err *err);
COOC_API int cooc_builder_vocab(struct cooc_builder *b,
                                const struct cooc_bytes *words, size_t n,
                                struct cooc_err *err);
COOC_API int cooc_builder_ids(struct cooc_builder *b, const char *name,
                              size_t name_len, const uint32_t *ids, size_t n,
                              struct cooc_err *err);

/* Complete the store, give it its name and free the builder, also after a
 * failure.  The second is for additions; it is the same with another report. */
COOC_API int cooc_builder_finish(struct cooc_builder *b,
                                 struct cooc_index_report *report,
                                 struct cooc_err *err);
COOC_API int cooc_builder_finish_add(struct cooc_builder *b,
                                     struct cooc_index_report *indexed,
                                     struct cooc_merge_report *report,
                                     struct cooc_err *err);
/* Free the builder and leave nothing behind.  NULL is allowed. */
COOC_API void cooc_builder_abort(struct cooc_builder *b);

/* ---- check ----------------------------------------------------------- */

struct cooc_check_report {
    size_t size;
    uint64_t files, bytes, rows, pairs, increments;
};
#define COOC_CHECK_REPORT COOC_INIT(cooc_check_report)

/* Verify every checksum, the order of all lists and both sum identities.  The
 * error names the first thing that is wrong.  watch may be NULL. */
COOC_API int cooc_check(const char *store, unsigned threads,
                        const struct cooc_watch *watch,
                        struct cooc_check_report *report,
                        struct cooc_err *err);

#ifdef __cplusplus
}
#endif
#endif
