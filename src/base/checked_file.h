/* checked_file.h - files with checksums, written once, then mapped and verified
 * block by block.
 *
 *     payload    the contents
 *     table      8 bytes per 64 KiB block of payload: its XXH3 hash
 *     footer     48 bytes: magic, kind, sizes, hash of the table
 *
 * A reader must call checked_file_get() before it reads a range of bytes.  The
 * first call verifies footer and table, and the first access to each block
 * verifies the block.  So opening reads nothing and takes the same time for
 * every size, and no damaged byte is ever used.  docs/FORMAT.md has the layout.
 *
 * Threads    One writer.  Many threads may read an open file.
 * Errors     COOC_EFORMAT if the file is damaged or not the expected one.
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

/* What the manifest records about a file to identify it. */
struct checked_file_id {
    uint64_t size; /* bytes of the whole file */
    uint64_t hash; /* hash of the footer, which contains that of the table */
};

/* ---- writing: named path_temporary() until checked_file_commit() ---- */
struct checked_file_writer;

int checked_file_create(struct checked_file_writer **out, const char *path,
                        const char *kind, struct cooc_err *err);
/* The same for a file that other processes may be writing as well, with the
 * same bytes: named path_unique() until it is committed. */
int checked_file_create_unique(struct checked_file_writer **out,
                               const char *path, const char *kind,
                               struct cooc_err *err);
int checked_file_write(struct checked_file_writer *w, const void *data,
                       size_t len, struct cooc_err *err);
/* Write integers in little-endian order. */
int checked_file_write_u32(struct checked_file_writer *w, const uint32_t *v,
                           size_t n, struct cooc_err *err);
int checked_file_write_u64(struct checked_file_writer *w, const uint64_t *v,
                           size_t n, struct cooc_err *err);
/* Return the bytes of payload written so far. */
uint64_t checked_file_written(const struct checked_file_writer *w);
/* Write table and footer, sync and rename the file.  Afterwards only
 * checked_file_writer_free() may be called. */
int checked_file_commit(struct checked_file_writer *w,
                        struct checked_file_id *id, struct cooc_err *err);
/* The same, but if a file of this name exists, keep that one.  Falls back to
 * renaming if the file system has no hard links. */
int checked_file_commit_first(struct checked_file_writer *w,
                              struct cooc_err *err);
/* Free the writer; remove the file unless it is committed.  NULL is allowed. */
void checked_file_writer_free(struct checked_file_writer *w);

/* ---- reading ---- */
struct checked_file;

/* Map the regular file at path, which must have this kind and match id.  This
 * checks only its size; table and footer are verified by the first
 * checked_file_get().  If id is NULL, any file of this kind is accepted, table
 * and footer are verified at once, and checked_file_describe() gets its id. */
int checked_file_open(struct checked_file **out, const char *path,
                      const char *kind, const struct checked_file_id *id,
                      struct cooc_err *err);
void checked_file_close(struct checked_file *b);
void checked_file_describe(const struct checked_file *b,
                           struct checked_file_id *id);
uint64_t checked_file_size(const struct checked_file *b); /* bytes of payload */
const char *checked_file_path(const struct checked_file *b);
/* Declare that the payload consists of integers of 4 or 8 bytes, so that
 * checked_file_get() returns them in the byte order of this host.  Call this
 * before the first checked_file_get().  No-op on little-endian hosts.  On
 * big-endian hosts, each block is swapped in private memory when it is
 * verified, and checked_file_forget() has no effect. */
void checked_file_holds(struct checked_file *b, size_t bytes);
/* Whether checked_file_forget() has an effect: false if bytes are swapped. */
bool checked_file_forgets(const struct checked_file *b);

/* Set *out to payload bytes [off, off + len), after verifying them.
 * COOC_EFORMAT if they are outside the payload or damaged. */
int checked_file_get(struct checked_file *b, uint64_t off, uint64_t len,
                     const void **out, struct cooc_err *err);
/* Whether the byte at off is known to be undamaged: reading it costs little. */
bool checked_file_seen(const struct checked_file *b, uint64_t off);
/* Give the memory of the bytes before off back to the kernel.  They may still
 * be used; the kernel then reads them again. */
void checked_file_forget(struct checked_file *b, uint64_t off);
/* The same for bytes [from, to) of a file that is mapped at map. */
void map_forget(const void *map, uint64_t from, uint64_t to);
/* Verify the whole file.  Progress is reported to watch, which may be NULL and
 * may cancel. */
int checked_file_verify(struct checked_file *b, struct watch *watch,
                        struct cooc_err *err);

#endif
