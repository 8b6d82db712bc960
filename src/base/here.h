/* here.h - the working directory of a call.
 *
 * A program may change its working directory at any time and from any thread.
 * A relative path refers to the working directory at the start of a call: each
 * public function that takes paths begins with here_begin(), which opens the
 * working directory, and every path is used through the functions below.
 * Messages and names of documents have paths as the user typed them.
 *
 * Threads    Each thread has its own; pool_for() hands it to its workers.
 * Errors     As the system call of that name: -1 or NULL, and errno.
 */
#ifndef COOC_HERE_H
#define COOC_HERE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

struct cooc_err;

struct here {
    int dir;           /* the working directory */
    const char *name;  /* here_name(), or NULL */
    size_t name_len;
    int named;
    const struct here *before;
};

/* Open the working directory for the rest of the call.  Call here_end() even
 * if this fails. */
int here_begin(struct here *h, struct cooc_err *err);
void here_end(struct here *h);

/* From now on path means the directory that fd has open, even if another one
 * gets that name.  The string must stay valid; NULL ends this. */
void here_name(struct here *h, const char *path, int fd);

/* For the threads of a call. */
const struct here *here_get(void);
void here_set(const struct here *h);

int here_open(const char *path, int flags, mode_t mode);
int here_stat(const char *path, struct stat *st);
int here_lstat(const char *path, struct stat *st);
int here_statvfs(const char *path, struct statvfs *v);
int here_access(const char *path, int mode);
DIR *here_opendir(const char *path, int flags); /* O_NOFOLLOW, or 0 */
int here_mkdir(const char *path, mode_t mode);
int here_unlink(const char *path);
int here_rmdir(const char *path);
/* flags as for renameat2(). */
int here_rename(const char *from, const char *to, unsigned flags);

/* What the link at path leads to, into *out for mem_free(); path itself if it
 * is not a link, or leads nowhere. */
int here_follow(char **out, const char *path, struct cooc_err *err);

/* The absolute path of an open file, PATH_MAX bytes, for other libraries;
 * false if there is none that leads to it. */
bool here_real(int fd, char *out);

#endif
