/* workdir.h - system calls on paths, relative to the working directory at the
 * start of a call of the library.
 *
 * A program may change its working directory at any time and from any thread.
 * So each public function that takes paths begins with workdir_begin(), which
 * opens the working directory, and accesses every path with the functions
 * below.  Messages and names of documents contain paths as the user wrote them.
 *
 * Threads    The open directory is thread-local; pool_for() passes it to its
 *            workers.
 * Errors     As the system call of the same name: -1 or NULL, and errno.
 */
#ifndef COOC_WORKDIR_H
#define COOC_WORKDIR_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

struct cooc_err;

struct workdir {
    int dir;           /* the working directory */
    const char *alias; /* set by workdir_alias(), or NULL */
    size_t alias_len;
    int alias_fd;
    const struct workdir *before;
};

/* Open the working directory for the rest of the call.  Call workdir_end() even
 * if this fails. */
int workdir_begin(struct workdir *h, struct cooc_err *err);
void workdir_end(struct workdir *h);

/* Resolve path, and paths that begin with it, to the directory that is open as
 * fd, even if another directory gets this name.  The string must stay valid.
 * NULL cancels this. */
void workdir_alias(struct workdir *h, const char *path, int fd);

/* Get the current working directory of this thread, or set it in a worker. */
const struct workdir *workdir_get(void);
void workdir_set(const struct workdir *h);

int workdir_open(const char *path, int flags, mode_t mode);
int workdir_stat(const char *path, struct stat *st);
int workdir_lstat(const char *path, struct stat *st);
int workdir_statvfs(const char *path, struct statvfs *v);
int workdir_access(const char *path, int mode);
DIR *workdir_opendir(const char *path, int flags); /* O_NOFOLLOW, or 0 */
int workdir_mkdir(const char *path, mode_t mode);
int workdir_unlink(const char *path);
int workdir_rmdir(const char *path);
int workdir_link(const char *from, const char *to);
/* The flags are those of renameat2(). */
int workdir_rename(const char *from, const char *to, unsigned flags);

/* Set *out to the target of the link at path, or to a copy of path if it is not
 * a link or its target does not exist.  The caller frees it with mem_free(). */
int workdir_follow(char **out, const char *path, struct cooc_err *err);

/* Write the absolute path of an open file to out, which has PATH_MAX bytes, for
 * libraries that need a path.  Return false if no path leads to the file. */
bool workdir_real(int fd, char *out);

#endif
