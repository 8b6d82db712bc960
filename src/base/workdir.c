/* workdir.c - resolve paths relative to the working directory of the call. */
#include "base/workdir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"

#define LINKS_MAX 40 /* maximum number of links to follow, as in Linux */

/* The working directory of the call that this thread works for, or NULL. */
static _Thread_local const struct workdir *current;

int workdir_begin(struct workdir *h, struct cooc_err *err)
{
    *h = (struct workdir){ .before = current };
    if (!current)
        library_alloc_begin();
    h->dir = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    current = h;
    if (h->dir >= 0)
        return 0;
    h->dir = AT_FDCWD;
    if (errno == EACCES) /* no relative path works in it anyway */
        return 0;
    return err_sys(err, "cannot open the working directory", ".");
}

void workdir_end(struct workdir *h)
{
    current = h->before;
    if (h->dir >= 0)
        close(h->dir);
}

void workdir_alias(struct workdir *h, const char *path, int fd)
{
    h->alias_len = path ? strlen(path) : 0;
    while (h->alias_len && path[h->alias_len - 1] == '/')
        h->alias_len--;
    h->alias = h->alias_len ? path : NULL;
    h->alias_fd = fd;
}

const struct workdir *workdir_get(void)
{
    return current;
}

void workdir_set(const struct workdir *h)
{
    current = h;
}

/* Return the directory that *path is relative to.  If *path begins with the
 * name set by workdir_alias(), skip that name in *path. */
static int base_directory(const char **path)
{
    const char *rest;

    if (!current)
        return AT_FDCWD;
    if (!current->alias ||
        strncmp(*path, current->alias, current->alias_len) != 0)
        return current->dir;
    rest = *path + current->alias_len;
    if (*rest && *rest != '/')
        return current->dir;
    while (*rest == '/')
        rest++;
    *path = *rest ? rest : ".";
    return current->alias_fd;
}

int workdir_open(const char *path, int flags, mode_t mode)
{
    int dir = base_directory(&path);

    return openat(dir, path, flags, mode);
}

int workdir_stat(const char *path, struct stat *st)
{
    int dir = base_directory(&path);

    return fstatat(dir, path, st, 0);
}

int workdir_lstat(const char *path, struct stat *st)
{
    int dir = base_directory(&path);

    return fstatat(dir, path, st, AT_SYMLINK_NOFOLLOW);
}

static void close_keeping_errno(int fd)
{
    int saved = errno;

    if (fd >= 0)
        close(fd);
    errno = saved;
}

int workdir_statvfs(const char *path, struct statvfs *v)
{
    int fd = workdir_open(path, O_PATH | O_CLOEXEC, 0);
    int rc = fd < 0 ? -1 : fstatvfs(fd, v);

    close_keeping_errno(fd);
    return rc;
}

int workdir_access(const char *path, int mode)
{
    int dir = base_directory(&path);

    return faccessat(dir, path, mode, 0);
}

DIR *workdir_opendir(const char *path, int flags)
{
    int fd = workdir_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags, 0);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);

    if (!d)
        close_keeping_errno(fd);
    return d;
}

int workdir_mkdir(const char *path, mode_t mode)
{
    int dir = base_directory(&path);

    return mkdirat(dir, path, mode);
}

int workdir_unlink(const char *path)
{
    int dir = base_directory(&path);

    return unlinkat(dir, path, 0);
}

int workdir_rmdir(const char *path)
{
    int dir = base_directory(&path);

    return unlinkat(dir, path, AT_REMOVEDIR);
}

int workdir_link(const char *from, const char *to)
{
    int dir = base_directory(&from), to_dir = base_directory(&to);

    return linkat(dir, from, to_dir, to, 0);
}

int workdir_rename(const char *from, const char *to, unsigned flags)
{
    int dir = base_directory(&from), to_dir = base_directory(&to);

    /* Not every file system supports renameat2(). */
    return flags ? renameat2(dir, from, to_dir, to, flags)
                 : renameat(dir, from, to_dir, to);
}

/* If *at is a link, replace it by its target and return 1; otherwise 0. */
static int follow_one(char **at, struct cooc_err *err)
{
    const char *path = *at, *slash = strrchr(*at, '/');
    char to[PATH_MAX];
    struct buf next = { 0 };
    int dir = base_directory(&path), rc;
    ssize_t n = readlinkat(dir, path, to, sizeof to - 1);

    if (n <= 0)
        return 0;
    while (n > 1 && to[n - 1] == '/')
        n--;
    to[n] = '\0';
    rc = buf_printf(&next, err, "%.*s%s",
                    slash && *to != '/' ? (int)(slash + 1 - *at) : 0, *at,
                    to);
    if (rc < 0) {
        buf_release(&next);
        return rc;
    }
    mem_free(*at);
    *at = next.data;
    return 1;
}

int workdir_follow(char **out, const char *path, struct cooc_err *err)
{
    char *at = mem_dup(path, strlen(path));
    struct stat st;
    int rc = at ? 1 : err_nomem(err);

    *out = NULL;
    for (int i = 0; i < LINKS_MAX && rc > 0; i++)
        rc = follow_one(&at, err);
    if (rc >= 0 && workdir_stat(at, &st) < 0) {
        mem_free(at);
        at = mem_dup(path, strlen(path));
        rc = at ? 0 : err_nomem(err);
    }
    if (rc < 0)
        mem_free(at);
    else
        *out = at;
    return rc < 0 ? rc : 0;
}

bool workdir_real(int fd, char *out)
{
    struct stat mine, named;
    char link[40];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, out, PATH_MAX - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    return *out == '/' && fstat(fd, &mine) == 0 && stat(out, &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}
