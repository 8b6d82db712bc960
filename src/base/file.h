/* file.h - files and directories, every call checked.
 *
 * Paths in messages are the user's own.  Temporary files have no name: the
 * kernel removes them however the process ends.
 */
#ifndef COOC_FILE_H
#define COOC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* "dir/name" in a new string for mem_free(). */
int path_join(char **out, const char *dir, const char *name,
              struct cooc_err *err);

/* The whole file into *out (appended), at most limit bytes. */
int file_read_all(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err);

/* Write path whole: to path.tmp, synced, then renamed. */
int file_write_atomic(const char *path, const void *data, size_t len,
                      struct cooc_err *err);

int file_write(int fd, const void *data, size_t len, const char *path,
               struct cooc_err *err);
int file_pread(int fd, void *data, size_t len, uint64_t off,
               const char *path, struct cooc_err *err);

/* A nameless file in dir. */
int file_temp(int *fd, const char *dir, struct cooc_err *err);

/* Bytes that may still be written below dir. */
int dir_room(uint64_t *bytes, const char *dir, struct cooc_err *err);

/* Make the directory's own entries durable. */
int dir_sync(const char *path, struct cooc_err *err);

/* Remove the plain files in a directory, and then itself; a missing one is
 * fine. */
int dir_empty(const char *path, struct cooc_err *err);
int dir_remove(const char *path, struct cooc_err *err);

/* Open path (a directory) and lock it; COOC_EBUSY, with a message that calls
 * it name, if another process or another call of this one holds the lock.  It
 * is the directory that has the path when this returns.  close() alone does
 * not unlock it while a child process that was forked meanwhile lives. */
int dir_lock(int *fd, const char *path, const char *name,
             struct cooc_err *err);
void dir_unlock(int fd); /* -1 is allowed */
/* Does path lead to the directory that fd has open?  If it leads to another,
 * errno is 0. */
bool dir_is(int fd, const char *path);

#endif
