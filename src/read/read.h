/* read.h - documents in: one interface, one file per format.
 *
 * A reader walks its inputs in the order given (directories in byte order
 * of their names) and hands out one document after the other.  Text formats
 * give running text for the tokeniser.  Reduced formats (triples, uci, ldac,
 * svmlight, transactions) give terms as they are, one per line.
 *
 * How bytes become documents (each stage pulls from the one above it):
 *
 *     inputs            reader.c, walk.c     paths, or all files of a directory
 *     blocks of a file  stream.c
 *     decompressed      unpack.c             decompress.c, codec_*.c
 *     entries           unpack.c             tar.c, zip.c; or the whole file
 *     UTF-8, lines      entry_text.c         recode.c
 *     documents         fmt_x.c              detect.c chooses, input.h helps
 *
 * Ownership  What a document points to lives until the next call.
 * Threads    One at a time; the caller holds a lock.
 * Errors     Name the input and, where there are lines, the line.
 */
#ifndef COOC_READ_H
#define COOC_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;
struct cooc_index_options;
struct feed;
struct reader;
struct watch;

/* A document is held in memory whole, so its size has a limit: this (a smaller
 * one in tests, which want to reach it), or a share of options->memory. */
#ifdef COOC_MEM_TEST
#define DOCUMENT_MAX ((size_t)16 << 20)
#else
#define DOCUMENT_MAX ((size_t)1 << 30)
#endif

/* What to do about a document of more than max bytes. */
const char *document_advice(size_t max);

struct document {
    const char *name;
    size_t name_len;
    const char *text; /* UTF-8, not yet validated; or a term a line */
    size_t text_len;
};

struct reader_stats {
    uint64_t bytes;         /* decompressed bytes read so far */
    uint64_t invalid_bytes; /* replaced by U+FFFD; \ud800 in JSON is one */
    uint64_t skipped;       /* hidden files, records without text */
    uint64_t stores;        /* skipped in folders */
};

/* Are format and encoding, if given, known? */
int reader_check(const struct cooc_index_options *o, struct cooc_err *err);

/* Open the inputs ("-" is standard input, directories are walked); the
 * first one is looked into, so that format and kind are known at once.  The
 * options and inputs must outlive the reader. */
int reader_open(struct reader **out, const char *const *inputs, size_t n,
                const struct cooc_index_options *o, struct watch *watch,
                struct cooc_err *err);

/* Read the documents that come through a feed (feed.h), which must outlive the
 * reader; waits for the first one. */
int reader_open_feed(struct reader **out, struct feed *feed,
                     struct cooc_err *err);
/* The most bytes that a document may have. */
size_t reader_document_max(const struct cooc_index_options *o);
/* A reader in another thread need not wait any longer. */
void reader_fail(struct reader *r, int code, const struct cooc_err *why);

/* Text fields (base/name_list.h) that occur in documents from before, to which
 * the inputs are added: that they lack one is a warning only.  The list must
 * outlive the reader; NULL: none. */
void reader_know_fields(struct reader *r, const struct buf *known);

/* 1: a document; 0: no more; < 0: failed, and only reader_close() is left
 * to do. */
int reader_next(struct reader *r, struct document *doc, struct cooc_err *err);

/* "lines"; if documents came in several, as in "lines, jsonl", all of them
 * in the order of their first.  Less than 64 bytes. */
const char *reader_format(const struct reader *r);
/* The text fields that occurred, a list as above; empty if no input has any. */
const struct buf *reader_fields(const struct reader *r);
bool reader_is_terms(const struct reader *r); /* a reduced format? */
struct reader_stats reader_stats(const struct reader *r);
void reader_close(struct reader *r);

#endif
