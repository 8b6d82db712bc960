/* disk.h - write a large file sequentially, in the background, without the
 * page cache.
 *
 * A store may have gigabytes that are not read soon.  Writing them through the
 * page cache would evict more useful pages, and on virtual machines, pages that
 * the hypervisor has not yet backed are so slow to write that filling the cache
 * takes longer than counting.  So the file is written with O_DIRECT if the file
 * system supports it.  A background thread writes one buffer while the caller
 * fills the other:
 *
 *     fill disk_buffer(), disk_push()     for each full buffer
 *     disk_finish()                       for the last one
 *     disk_close()
 *
 * or, for pieces of any size, which are copied to the buffer:
 *
 *     disk_write()                        for each piece
 *     disk_end()
 *     disk_close()
 *
 * Threads    One caller at a time.
 */
#ifndef COOC_DISK_H
#define COOC_DISK_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct disk_file;

#define DISK_BUFFER ((size_t)1 << 20)

/* Create the file at path and remove any file that has this name.  The string
 * must stay valid until disk_close(). */
int disk_create(struct disk_file **out, const char *path,
                struct cooc_err *err);

/* Write to the open regular file fd from offset at.  The caller closes fd after
 * disk_close().  If at is not 0, the bytes before it must be written by another
 * disk_file, which must end with disk_join(). */
int disk_open(struct disk_file **out, int fd, uint64_t at, const char *path,
              struct cooc_err *err);

/* Append len bytes. */
int disk_write(struct disk_file *f, const void *data, size_t len,
               struct cooc_err *err);
/* Write what disk_write() has kept, truncate the file there and sync it. */
int disk_end(struct disk_file *f, struct cooc_err *err);
/* Write what disk_write() has kept, up to the offset at which next was opened.
 * Call this before disk_end(next). */
int disk_join(struct disk_file *f, struct disk_file *next,
              struct cooc_err *err);

/* Return the buffer to fill, of DISK_BUFFER bytes. */
uint8_t *disk_buffer(struct disk_file *f);
/* Write the full buffer in the background.  Waits until the previous buffer is
 * written; the error may be of that one. */
int disk_push(struct disk_file *f, struct cooc_err *err);
/* Write the first len bytes of the buffer, which is the last one, and sync the
 * file. */
int disk_finish(struct disk_file *f, size_t len, struct cooc_err *err);

/* Close the file, whether it is finished or not.  NULL is allowed. */
void disk_close(struct disk_file *f);

#endif
