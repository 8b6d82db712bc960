/* stream.h - the bytes of an input: a plain file, or the entries of an archive.
 *
 *     stream_open, then while stream_entry() is 1:
 *         stream_peek() if wanted, stream_block() until it is 0
 *
 * A plain file is a single entry.  Compressed data is decompressed, also inside
 * an archive.  Hidden and special entries of archives are skipped and counted.
 *
 * Ownership  The path given must outlive the stream.  Blocks, peeked bytes
 *            and the name live until the next call.
 */
#ifndef COOC_STREAM_H
#define COOC_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct binary;
struct cooc_err;
struct reader_stats;
struct stream;
struct watch;

#define STREAM_BLOCK ((size_t)1 << 20)
#ifdef COOC_MEM_TEST
/* Tests set a small size, at least 8 bytes, to test the boundaries of
 * blocks. */
extern size_t stream_block_size;
#endif

/* Open path; "-" is standard input.  Bytes and skipped entries are added to
 * stats.  Reading from a pipe may wait; watch, which may be NULL, can cancel
 * the wait. */
int stream_open(struct stream **out, const char *path,
                struct reader_stats *stats, struct watch *watch,
                struct cooc_err *err);
/* Open bytes [from, to) of the regular file path, as they are, without
 * decompressing them. */
struct stream_range {
    uint64_t from, to;
};
int stream_open_range(struct stream **out, const char *path,
                      struct stream_range range, struct reader_stats *stats,
                      struct watch *watch, struct cooc_err *err);
/* Set *n to the number of lines of the file before its range. */
int stream_lines_before(struct stream *s, uint64_t *n, struct cooc_err *err);
void stream_close(struct stream *s);

/* 1: at the next entry; 0: no more entries; < 0: failed. */
int stream_entry(struct stream *s, struct cooc_err *err);

/* The name of the entry: PATH, or ARCHIVE/ENTRY. */
const char *stream_name(const struct stream *s);
bool stream_is_archive(const struct stream *s);
/* Is the entry the text of an office file, as HTML in UTF-8 (office.h)? */
bool stream_is_office(const struct stream *s);
/* Limit the memory for the text of an office file; DOCUMENT_MAX by default. */
void stream_limit(struct stream *s, size_t document_max);
/* From now on, note the hidden entries of archives. */
void stream_note_hidden(struct stream *s);
/* If the file is a zip archive of a kind that is not opened, a spreadsheet for
 * example, its kind; otherwise NULL. */
const struct binary *stream_binary(const struct stream *s);

/* Whether the file could not be read further: it has no more entries. */
bool stream_failed(const struct stream *s);

/* Peek at the entry's next bytes: at least want of them, or all that are
 * left. */
int stream_peek(struct stream *s, size_t want, const char **data, size_t *len,
                struct cooc_err *err);

/* The same, but if damage prevents reading further, return what precedes it;
 * stream_block() fails when it arrives there. */
int stream_sample(struct stream *s, size_t want, const char **data, size_t *len,
                  struct cooc_err *err);

/* Read the rest of the entry, to find damage, if it is compressed or in an
 * archive. */
int stream_finish(struct stream *s, struct cooc_err *err);

/* 1: a block; 0: end of the entry; < 0: failed. */
int stream_block(struct stream *s, const char **data, size_t *len,
                 struct cooc_err *err);

#endif
