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
