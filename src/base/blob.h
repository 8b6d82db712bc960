/* blob.h - a file of bytes that knows when it is damaged.
 *
 *     payload    the bytes themselves
 *     table      8 bytes for each 64 KiB block of payload: its XXH3
 *     footer     48 bytes: magic, kind, sizes, the hash of the table
 *
 * A blob is written once, front to back, then mapped.  A reader asks for a
 * range before it looks at it; table and footer are verified the first time,
 * and so is each block: opening reads nothing, costs the same for every size,
 * and no flipped bit is ever counted.
 *
 * Threads    One writer.  An open blob may be read by many threads.
 */
#ifndef COOC_BLOB_H
#define COOC_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct watch;

#define BLOB_BLOCK 65536u
#define BLOB_FOOTER 48u
#define BLOB_MAGIC "coocblob" /* the first bytes of the footer */

/* What the manifest says of a file: enough to know it is the right one. */
struct blob_id {
    uint64_t size; /* of the whole file */
    uint64_t hash; /* of its footer, which holds the hash of the table */
};

/* ---- writing: path_temporary() until commit ---- */
struct blob_writer;

int blob_create(struct blob_writer **out, const char *path, const char *kind,
                struct cooc_err *err);
int blob_write(struct blob_writer *w, const void *data, size_t len,
               struct cooc_err *err);
/* Integers, stored little-endian. */
int blob_write_u32(struct blob_writer *w, const uint32_t *v, size_t n,
                   struct cooc_err *err);
int blob_write_u64(struct blob_writer *w, const uint64_t *v, size_t n,
                   struct cooc_err *err);
uint64_t blob_written(const struct blob_writer *w); /* payload bytes */
/* Write table and footer, sync, rename; the writer is done after this. */
int blob_commit(struct blob_writer *w, struct blob_id *id,
                struct cooc_err *err);
void blob_writer_free(struct blob_writer *w); /* not committed: removed */

/* ---- reading ---- */
struct blob;

/* Map path, which must be a regular file of that kind and the one that id
 * describes.  Its size is looked at, the rest when it is first asked for
 * anything.  With NULL for id any file will do, blob_describe() tells which it
 * is, and table and footer are verified at once. */
int blob_open(struct blob **out, const char *path, const char *kind,
              const struct blob_id *id, struct cooc_err *err);
void blob_close(struct blob *b);
void blob_describe(const struct blob *b, struct blob_id *id);
uint64_t blob_size(const struct blob *b); /* of the payload */
const char *blob_path(const struct blob *b);
/* The payload is integers of that many bytes, 4 or 8: blob_get() gives them
 * as this machine has them.  To be called before the first blob_get().  No-op
 * on little-endian hosts; on others the bytes of each block are swapped once it
 * is verified, in memory of this process, and it is not forgotten any more. */
void blob_holds(struct blob *b, size_t bytes);
bool blob_forgets(const struct blob *b); /* not if bytes are swapped */

/* A pointer to payload bytes [off, off + len), verified; COOC_EFORMAT if
 * they are outside the payload or damaged. */
int blob_get(struct blob *b, uint64_t off, uint64_t len, const void **out,
             struct cooc_err *err);
/* The bytes before off are not needed for a while: the kernel may have their
 * memory back.  They can still be asked for. */
void blob_forget(struct blob *b, uint64_t off);
/* The same for bytes [from, to) of a mapped file that begins at map. */
void map_forget(const void *map, uint64_t from, uint64_t to);
/* Verify everything, telling the watch (which may be NULL) of the bytes done;
 * it may end it. */
int blob_verify(struct blob *b, struct watch *watch, struct cooc_err *err);

#endif
