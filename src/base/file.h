/* file.h - read, write, create, sync and lock files and directories.
 *
 * All system calls are checked; reads and writes that a signal interrupts are
 * repeated.  Messages contain paths as the user wrote them.  Relative paths are
 * resolved by base/workdir.h.  docs/CRASH_SAFETY.md explains when files are
 * synced and renamed.
 */
#ifndef COOC_FILE_H
#define COOC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;

/* Set *out to a new string "dir/name".  The caller frees it with mem_free(). */
int path_join(char **out, const char *dir, const char *name,
              struct cooc_err *err);

/* Set *out to a new string with the directory of path, "." if path has no
 * slash.  The caller frees it with mem_free(). */
int path_dir(char **out, const char *path, struct cooc_err *err);

/* Append the contents of the file to *out.  COOC_ELIMIT if the file has more
 * than limit bytes. */
int file_read_all(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err);

/* ---- the files of a store ----
 *
 * They must be regular files, not links: a store from somebody else must not
 * make a command wait for a pipe or read a file outside the store. */

/* Open path for reading.  It is relative to dir; if dir is AT_FDCWD, it is
 * resolved by base/workdir.h.  COOC_EFORMAT if it is not a regular file. */
int file_open_own(int *fd, int dir, const char *path, struct cooc_err *err);
int file_read_own(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err);

/* Append to *out the name under which a file of a store is written:
 * "dir/.name.tmp" for "dir/name".  Readers skip hidden names
 * (base/recognise.h). */
int path_temporary(struct buf *out, const char *path, struct cooc_err *err);

/* The same with random digits at the end, so that processes that write the same
 * file do not write to each other's. */
int path_unique(struct buf *out, const char *path, struct cooc_err *err);

/* Create a regular file for writing; return its descriptor, or -1 and errno.
 * An existing file or link of this name is removed first. */
int file_create(const char *path, int flags);

/* Write the file in one step: write path_temporary(), sync it, rename it. */
int file_write_atomic(const char *path, const void *data, size_t len,
                      struct cooc_err *err);

/* ---- other files ---- */

/* Create a new hidden file in the directory of path, "dir/.name.tmp-" and
 * random digits; return its descriptor, or -1 and errno.  *tmp is its path,
 * which the caller frees with mem_free(). */
int file_create_beside(char **tmp, const char *path);

int file_write(int fd, const void *data, size_t len, const char *path,
               struct cooc_err *err);
int file_pread(int fd, void *data, size_t len, uint64_t off,
               const char *path, struct cooc_err *err);

/* Write all bytes at offset at; return 0 or errno.  If the file system refuses
 * a write because of O_DIRECT, O_DIRECT is removed from the descriptor. */
#define DIRECT_ALIGN ((size_t)4096) /* enough for O_DIRECT on known systems */
int file_pwrite(int fd, const void *data, size_t len, uint64_t at);

/* Open a new nameless file in dir.  The kernel removes it when it is closed,
 * however the process ends. */
int file_temp(int *fd, const char *dir, struct cooc_err *err);

/* Set *bytes to the free space of the file system of dir. */
int dir_room(uint64_t *bytes, const char *dir, struct cooc_err *err);

/* Sync the entries of a directory to disk. */
int dir_sync(const char *path, struct cooc_err *err);

/* Remove all files in a directory; dir_remove() also removes the directory.  It
 * must not contain directories.  No-op if the directory does not exist. */
int dir_empty(const char *path, struct cooc_err *err);
int dir_remove(const char *path, struct cooc_err *err);

/* Open the directory at path and lock it.  COOC_EBUSY if another process, or
 * another call in this process, holds the lock; the message uses name for the
 * directory.  When this returns, the locked directory is the one at path, even
 * if the path was renamed in between.  Unlock with dir_unlock(): close() alone
 * does not unlock while a child process that was forked in between exists. */
int dir_lock(int *fd, const char *path, const char *name,
             struct cooc_err *err);
/* The same with a shared lock, which excludes dir_lock() alone. */
int dir_lock_shared(int *fd, const char *path, const char *name,
                    struct cooc_err *err);
void dir_unlock(int fd); /* -1 is allowed */
/* Whether path is the directory that is open as fd.  If path is another
 * directory, errno is 0; otherwise errno says why path cannot be examined. */
bool dir_is(int fd, const char *path);

#endif
