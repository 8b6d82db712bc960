/* checked_file.h - a file of bytes that knows when it is damaged.
 *
 *     payload    the bytes themselves
 *     table      8 bytes for each 64 KiB block of payload: its XXH3
 *     footer     48 bytes: magic, kind, sizes, the hash of the table
 *
 * It is written once, front to back, then mapped.  A reader asks for a
 * range before it looks at it; table and footer are verified the first time,
 * and so is each block: opening reads nothing, costs the same for every size,
 * and no flipped bit is ever counted.
 *
 * Threads    One writer.  An open file may be read by many threads.
 */
#ifndef COOC_CHECKED_FILE_H
#define COOC_CHECKED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct watch;

#define CHECKED_FILE_BLOCK 65536u
#define CHECKED_FILE_FOOTER 48u
#define CHECKED_FILE_MAGIC "coocblob" /* the first bytes of the footer */

/* What the manifest says of a file: enough to know it is the right one. */
struct checked_file_id {
    uint64_t size; /* of the whole file */
    uint64_t hash; /* of its footer, which holds the hash of the table */
};

/* ---- writing: path_temporary() until commit ---- */
struct checked_file_writer;

int checked_file_create(struct checked_file_writer **out, const char *path,
                        const char *kind, struct cooc_err *err);
int checked_file_write(struct checked_file_writer *w, const void *data,
                       size_t len, struct cooc_err *err);
/* Integers, stored little-endian. */
int checked_file_write_u32(struct checked_file_writer *w, const uint32_t *v,
                           size_t n, struct cooc_err *err);
int checked_file_write_u64(struct checked_file_writer *w, const uint64_t *v,
                           size_t n, struct cooc_err *err);
/* Payload bytes. */
uint64_t checked_file_written(const struct checked_file_writer *w);
/* Write table and footer, sync, rename; the writer is done after this. */
int checked_file_commit(struct checked_file_writer *w,
                        struct checked_file_id *id, struct cooc_err *err);
/* Not committed: removed. */
void checked_file_writer_free(struct checked_file_writer *w);

/* ---- reading ---- */
struct checked_file;

/* Map path, which must be a regular file of that kind and the one that id
 * describes.  Its size is looked at, the rest when it is first asked for
 * anything.  With NULL for id any file will do, checked_file_describe() tells
 * which it is, and table and footer are verified at once. */
int checked_file_open(struct checked_file **out, const char *path,
                      const char *kind, const struct checked_file_id *id,
                      struct cooc_err *err);
void checked_file_close(struct checked_file *b);
void checked_file_describe(const struct checked_file *b,
                           struct checked_file_id *id);
uint64_t checked_file_size(const struct checked_file *b); /* of the payload */
const char *checked_file_path(const struct checked_file *b);
/* The payload is integers of that many bytes, 4 or 8: checked_file_get() gives
 * them as this machine has them.  To be called before the first
 * checked_file_get().  No-op on little-endian hosts; on others the bytes of
 * each block are swapped once it is verified, in memory of this process, and it
 * is not forgotten any more. */
void checked_file_holds(struct checked_file *b, size_t bytes);
/* Not if bytes are swapped. */
bool checked_file_forgets(const struct checked_file *b);

/* A pointer to payload bytes [off, off + len), verified; COOC_EFORMAT if
 * they are outside the payload or damaged. */
int checked_file_get(struct checked_file *b, uint64_t off, uint64_t len,
                     const void **out, struct cooc_err *err);
/* The bytes before off are not needed for a while: the kernel may have their
 * memory back.  They can still be asked for. */
void checked_file_forget(struct checked_file *b, uint64_t off);
/* The same for bytes [from, to) of a mapped file that begins at map. */
void map_forget(const void *map, uint64_t from, uint64_t to);
/* Verify everything, telling the watch (which may be NULL) of the bytes done;
 * it may end it. */
int checked_file_verify(struct checked_file *b, struct watch *watch,
                        struct cooc_err *err);

#endif
