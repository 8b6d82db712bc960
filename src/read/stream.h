/* stream.h - the bytes of an input: one plain entry, or an archive's many.
 *
 *     stream_open, then while stream_entry() is 1:
 *         stream_peek() if wanted, stream_block() until it is 0
 *
 * Whatever is compressed comes out decompressed, also inside an archive.
 * Hidden and special entries of archives are stepped over and counted.
 *
 * Ownership  The path given must outlive the stream.  Blocks, peeked bytes
 *            and the name live until the next call.
 */
#ifndef COOC_STREAM_H
#define COOC_STREAM_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;
struct reader_stats;
struct stream;
struct watch;

#define STREAM_BLOCK ((size_t)1 << 20)
#ifdef COOC_MEM_TEST
/* Tests make it small, 8 bytes at least, to see the seams between blocks. */
extern size_t stream_block_size;
#endif

/* "-" is standard input.  Bytes and skipped entries are added to stats.  A
 * pipe may keep us waiting: watch, which may be NULL, can end the wait. */
int stream_open(struct stream **out, const char *path,
                struct reader_stats *stats, struct watch *watch,
                struct cooc_err *err);
void stream_close(struct stream *s);

/* 1: at the next entry; 0: no more; < 0: failed. */
int stream_entry(struct stream *s, struct cooc_err *err);

/* PATH, or ARCHIVE/ENTRY. */
const char *stream_name(const struct stream *s);
bool stream_is_archive(const struct stream *s);

/* The entry's next bytes: at least want of them, or all there are. */
int stream_peek(struct stream *s, size_t want, const char **data, size_t *len,
                struct cooc_err *err);

/* 1: a block; 0: the entry ends here; < 0: failed. */
int stream_block(struct stream *s, const char **data, size_t *len,
                 struct cooc_err *err);

#endif
