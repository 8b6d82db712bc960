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

/* The directory of path in a new string, "." if path names none. */
int path_dir(char **out, const char *path, struct cooc_err *err);

/* The whole file into *out (appended), at most limit bytes. */
int file_read_all(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err);

/* ---- the files of a store ----
 *
 * They are regular files, never links: a store that somebody else has made
 * must not make us wait for a pipe, or read a file that is not in it. */

/* Open path, which is relative to dir (or AT_FDCWD), for reading;
 * COOC_EFORMAT if it is not a regular file. */
int file_open_own(int *fd, int dir, const char *path, struct cooc_err *err);
int file_read_own(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err);

/* The name under which a file of a store is written, "dir/.name.tmp" for
 * "dir/name"; readers skip hidden names (base/recognise.h). */
int path_temporary(struct buf *out, const char *path, struct cooc_err *err);

/* Create a regular file to write and return its descriptor, or -1; what has
 * that name, a link for example, is removed and not written to. */
int file_create(const char *path, int flags);

/* Write path whole: to path_temporary(), synced, then renamed. */
int file_write_atomic(const char *path, const void *data, size_t len,
                      struct cooc_err *err);

/* ---- other files ---- */

/* Create a hidden file of our own in the directory of path, "dir/.name.tmp-"
 * and random digits; *tmp is for mem_free().  -1 and errno if it fails. */
int file_create_beside(char **tmp, const char *path);

int file_write(int fd, const void *data, size_t len, const char *path,
               struct cooc_err *err);
int file_pread(int fd, void *data, size_t len, uint64_t off,
               const char *path, struct cooc_err *err);

/* Write all of it at that offset, or return errno.  Where the file system does
 * not write around the page cache as O_DIRECT asks, the descriptor loses it. */
#define DIRECT_ALIGN ((size_t)4096) /* what O_DIRECT needs, wherever we know */
int file_pwrite(int fd, const void *data, size_t len, uint64_t at);

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
