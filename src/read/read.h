/* read.h - read documents: one interface, one file per format.
 *
 * A reader walks its inputs in the order given (directories in byte order of
 * names) and returns one document at a time.  Text formats return running text
 * for the tokeniser.  Reduced formats (triples, uci, ldac, svmlight,
 * transactions, ciff) return ready-made terms, one per line.
 *
 * How bytes become documents (each stage pulls from the stage above it):
 *
 *     inputs            reader.c, walk.c     paths, or all files of a directory
 *     blocks of a file  stream.c
 *     decompressed      unpack.c             decompress.c, codec_*.c
 *     entries           unpack.c             tar.c, zip.c; or the whole file
 *     UTF-8, lines      entry_text.c         encoding.c, recode.c
 *     documents         fmt_x.c              detect.c chooses, input.h helps;
 *                                            binary.c: not text
 *     grouped by name   group.c              if the options ask for it
 *
 * An inverted index (ciff) is read whole and transposed (transpose.c) before it
 * returns its first document.
 *
 * Ownership  What a document points to lives until the next call.
 * Threads    One at a time; the caller holds a lock.
 * Errors     Messages name the input and, in formats with lines, the line.
 */
#ifndef COOC_READ_H
#define COOC_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/part_info.h"

struct buf;
struct cooc_err;
struct cooc_index_options;
struct feed;
struct format;
struct reader;
struct watch;

/* A whole document is held in memory, so its size is limited to DOCUMENT_MAX
 * bytes or to a share of options->memory, whichever is smaller.  Tests use a
 * smaller DOCUMENT_MAX, so that they can reach it. */
#ifdef COOC_MEM_TEST
#define DOCUMENT_MAX ((size_t)16 << 20)
#else
#define DOCUMENT_MAX ((size_t)1 << 30)
#endif

/* The remedy to print for a document of more than max bytes, and the option
 * that may help. */
const char *document_advice(size_t max);
const char *document_option(size_t max);

enum document_kind {
    KIND_TEXT,  /* running text */
    KIND_TERMS, /* ready-made terms, one per line */
    KIND_ITEMS  /* the same, to be folded and normalised (TOKENS_ITEMS) */
};

/* Where a sentence or a paragraph ends: after byte `at` - 1 of the text.  A
 * paragraph end is also a sentence end. */
struct text_end {
    uint64_t at : 63, paragraph : 1;
};

struct document {
    const char *name;
    size_t name_len;
    const char *text; /* UTF-8, not yet validated; or one term per line */
    size_t text_len;
    const struct text_end *ends; /* ascending, without the end of the text */
    size_t n_ends;
    const char *file; /* the file or archive entry, or NULL */
    uint64_t entry;   /* its number */
};

struct reader_stats {
    uint64_t bytes;         /* decompressed bytes read so far */
    uint64_t invalid_bytes; /* replaced by U+FFFD; \ud800 in JSON counts as 1 */
    uint64_t skipped;       /* files and records: hidden, or without text */
    uint64_t stores;        /* stores skipped in directories */
    uint64_t bad_files;     /* skip_bad: left out, or left at some point */
    uint64_t bad_records;   /* skip_bad: left out */
    uint64_t watched;       /* of bytes: already reported to the watch */
    uint64_t spilled;       /* bytes written to temporary files */
};

/* Report bytes that were read to the watch, which may cancel, if there are many
 * since the last report.  For readers that read much before they return the
 * first document. */
int reader_stats_watch(struct reader_stats *stats, struct watch *watch,
                       struct cooc_err *err);

/* Check that the format and the encoding, if given, are known. */
int reader_check(const struct cooc_index_options *o, struct cooc_err *err);

/* Open the inputs ("-" is standard input, directories are walked).  Detects the
 * format of the first one, so that reader_format() and reader_kind() are
 * valid at once.  The options and inputs must outlive the reader.  If the
 * options say so, only a share of the inputs is read (division.h). */
int reader_open(struct reader **out, const char *const *inputs, size_t n,
                const struct cooc_index_options *o, struct watch *watch,
                struct cooc_err *err);

/* Documents that exist already, if more are added. */
struct reader_before {
    const char *format; /* NULL: unknown, or the options name another one */
    const char *store;  /* for messages */
};

/* The same as reader_open(), except that unrecognised inputs are read in the
 * format of the existing documents; COOC_EINVAL if one is recognised as another
 * format.  The strings must outlive the reader. */
int reader_open_more(struct reader **out, const char *const *inputs, size_t n,
                     const struct cooc_index_options *o,
                     const struct reader_before *before, struct watch *watch,
                     struct cooc_err *err);

/* Set *format to the format of the first entry of one input, NULL if it has no
 * entries or is not text.  found: the input is a file of a directory that the
 * user named; many_texts: see struct sample. */
int reader_probe(const char *input, bool found, bool many_texts,
                 const struct cooc_index_options *o, struct watch *watch,
                 const struct format **format, struct cooc_err *err);

/* Whether an error code may be about a record or a file that cannot be read,
 * and not about memory, options or the caller. */
bool reader_is_bad(int code);

/* Open a reader of the documents that come through a feed (feed.h), which must
 * outlive the reader.  Waits for the first document. */
int reader_open_feed(struct reader **out, struct feed *feed,
                     struct cooc_err *err);
/* Maximum size of a document in bytes. */
size_t reader_document_max(const struct cooc_index_options *o);
/* If the reader reads from a feed, fail the feed with this error, so that no
 * other thread keeps waiting for it.  Otherwise a no-op. */
void reader_fail(struct reader *r, int code, const struct cooc_err *why);

/* The directory of temporary files, which are needed to group rows and to
 * invert an index.  The string must outlive the reader. */
void reader_set_tmpdir(struct reader *r, const char *dir);

/* From now on, documents come with the ends of their sentences and paragraphs,
 * as far as the format has marks for them. */
void reader_want_ends(struct reader *r);

/* Set the text fields (base/name_list.h) of the existing documents to which the
 * inputs are added.  If the inputs lack one of them, reader_next() only warns
 * instead of failing.  The list must outlive the reader; NULL: no fields. */
void reader_know_fields(struct reader *r, const struct buf *known);

/* 1: a document; 0: no more documents; < 0: failed, and the reader can only be
 * closed. */
int reader_next(struct reader *r, struct document *doc, struct cooc_err *err);

/* What to remember about the share that was read; all zero if everything was
 * read.  Call this once, after reader_next() returned 0.  The caller releases
 * it. */
struct part_info reader_part(struct reader *r);

/* The format of the documents, for example "lines"; if there are several, all
 * of them in order of first use, as in "lines, jsonl".  Less than 64 bytes. */
const char *reader_format(const struct reader *r);
/* The text fields that occurred (base/name_list.h); empty if no input has text
 * fields. */
const struct buf *reader_fields(const struct reader *r);
enum document_kind reader_kind(const struct reader *r);
struct reader_stats reader_stats(const struct reader *r);
/* The text of documents of this file or archive entry (see struct document) had
 * invalid bytes, which were replaced. */
int reader_add_invalid(struct reader *r, uint64_t entry, const char *file,
                       uint64_t bytes, struct cooc_err *err);
/* Note each file with invalid bytes; call this once, after everything has been
 * read. */
void reader_note_invalid(const struct reader *r);
void reader_close(struct reader *r);

#endif
