/* disk.h - write a large file from front to back, behind the caller's back.
 *
 * Gigabytes that nobody reads soon only push better things out of the page
 * cache, and where fresh memory is dear (virtual machines) filling it takes
 * longer than counting does.  So the file is written around the cache where
 * the file system can (O_DIRECT), by a thread of its own: while one buffer
 * is on its way to the disk the caller fills the other.
 *
 * Threads    One caller.
 */
#ifndef COOC_DISK_H
#define COOC_DISK_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct disk_file;

#define DISK_BUFFER ((size_t)1 << 20)

/* Create path, which must outlive the file; what has that name is removed. */
int disk_create(struct disk_file **out, const char *path,
                struct cooc_err *err);

/* DISK_BUFFER bytes to fill. */
uint8_t *disk_buffer(struct disk_file *f);
/* The buffer is full: write it, and go on with another, which is waited for.
 * An error may be that of an earlier call. */
int disk_push(struct disk_file *f, struct cooc_err *err);
/* The buffer holds len bytes and is the last: write it, and wait until all
 * is on the disk to stay. */
int disk_finish(struct disk_file *f, size_t len, struct cooc_err *err);

/* Close the file, finished or not. */
void disk_close(struct disk_file *f);

#endif
