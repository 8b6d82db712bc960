/* workdir.h - the working directory of a call.
 *
 * A program may change its working directory at any time and from any thread.
 * A relative path refers to the working directory at the start of a call: each
 * public function that takes paths begins with workdir_begin(), which opens the
 * working directory, and every path is used through the functions below.
 * Messages and names of documents have paths as the user typed them.
 *
 * Threads    Each thread has its own; pool_for() hands it to its workers.
 * Errors     As the system call of that name: -1 or NULL, and errno.
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
    const char *alias; /* workdir_alias(), or NULL */
    size_t alias_len;
    int alias_fd;
    const struct workdir *before;
};

/* Open the working directory for the rest of the call.  Call workdir_end() even
 * if this fails. */
int workdir_begin(struct workdir *h, struct cooc_err *err);
void workdir_end(struct workdir *h);

/* From now on path means the directory that fd has open, even if another one
 * gets that name.  The string must stay valid; NULL ends this. */
void workdir_alias(struct workdir *h, const char *path, int fd);

/* For the threads of a call. */
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
/* flags as for renameat2(). */
int workdir_rename(const char *from, const char *to, unsigned flags);

/* What the link at path leads to, into *out for mem_free(); path itself if it
 * is not a link, or leads nowhere. */
int workdir_follow(char **out, const char *path, struct cooc_err *err);

/* The absolute path of an open file, PATH_MAX bytes, for other libraries;
 * false if there is none that leads to it. */
bool workdir_real(int fd, char *out);

#endif
