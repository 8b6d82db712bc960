/* file.c - read, write, create, sync and lock files and directories. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/workdir.h"

int path_join(char **out, const char *dir, const char *name,
              struct cooc_err *err)
{
    struct buf path = { 0 };
    int rc = buf_printf(&path, err, "%s/%s", dir, name);

    *out = path.data;
    return rc;
}

int path_dir(char **out, const char *path, struct cooc_err *err)
{
    const char *slash = strrchr(path, '/');

    *out = !slash          ? mem_dup(".", 1)
           : slash == path ? mem_dup("/", 1)
                           : mem_dup(path, (size_t)(slash - path));
    return *out ? 0 : err_nomem(err);
}

static int read_all(int fd, const char *path, size_t limit, struct buf *out,
                    struct cooc_err *err)
{
    size_t start = out->len;
    ssize_t n = 1;
    int rc = 0;

    while (rc == 0 && n != 0 && (rc = buf_reserve(out, 65536, err)) == 0) {
        n = read(fd, out->data + out->len, out->cap - out->len);
        if (n < 0 && errno != EINTR)
            rc = err_sys(err, "cannot read", path);
        out->len += n > 0 ? (size_t)n : 0;
        if (out->len - start > limit)
            rc = err_path(err, COOC_ELIMIT, path,
                          "is larger than %zu bytes, the maximum for this file",
                          limit);
    }
    close(fd);
    return rc;
}

int file_read_all(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err)
{
    int fd = workdir_open(path, O_RDONLY | O_CLOEXEC, 0);

    return fd < 0 ? err_sys(err, "cannot open", path)
                  : read_all(fd, path, limit, out, err);
}

int file_open_own(int *out, int dir, const char *path, struct cooc_err *err)
{
    /* Without O_NONBLOCK, opening a pipe would wait for its other end. */
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int fd = dir == AT_FDCWD ? workdir_open(path, flags, 0)
                             : openat(dir, path, flags);
    struct stat st;

    *out = -1;
    if (fd < 0 && errno != ELOOP && errno != ENXIO && errno != ENODEV)
        return err_sys(err, "cannot open", path);
    if (fd >= 0 && fstat(fd, &st) < 0) {
        close(fd);
        return err_sys(err, "cannot stat", path);
    }
    if (fd >= 0 && S_ISREG(st.st_mode)) {
        *out = fd;
        return 0;
    }
    if (fd >= 0)
        close(fd);
    return err_path(err, COOC_EFORMAT, path,
                    "is damaged: files of a store must be regular files; "
                    "replace it with a copy of the file");
}

int file_read_own(const char *path, size_t limit, struct buf *out,
                  struct cooc_err *err)
{
    int fd, rc = file_open_own(&fd, AT_FDCWD, path, err);

    return rc < 0 ? rc : read_all(fd, path, limit, out, err);
}

int file_write(int fd, const void *data, size_t len, const char *path,
               struct cooc_err *err)
{
    const char *p = data;

    while (len > 0) {
        ssize_t n = write(fd, p, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(err, "cannot write", path);
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

int file_pread(int fd, void *data, size_t len, uint64_t off,
               const char *path, struct cooc_err *err)
{
    char *p = data;

    while (len > 0) {
        ssize_t n = pread(fd, p, len, (off_t)off);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(err, "cannot read", path);
        if (n == 0)
            return err_path(err, COOC_EIO, path, "is shorter than expected");
        p += n;
        off += (uint64_t)n;
        len -= (size_t)n;
    }
    return 0;
}

int file_pwrite(int fd, const void *data, size_t len, uint64_t at)
{
    const char *p = data;

    while (len > 0) {
        ssize_t n = pwrite(fd, p, len, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EINVAL && (fcntl(fd, F_GETFL) & O_DIRECT)) {
            /* near a file size limit, or the blocks are larger */
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_DIRECT);
            continue;
        }
        if (n <= 0)
            return n < 0 ? errno : EIO;
        p += n;
        len -= (size_t)n;
        at += (uint64_t)n;
        if (n % (ssize_t)DIRECT_ALIGN && len) /* most likely a full disk */
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_DIRECT);
    }
    return 0;
}

/* The offset of the last component of a path. */
static size_t name_at(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash + 1 - path) : 0;
}

int path_temporary(struct buf *out, const char *path, struct cooc_err *err)
{
    size_t at = name_at(path);

    return buf_printf(out, err, "%.*s%s%s.tmp", (int)at, path,
                      path[at] == '.' ? "" : ".", path + at);
}

int path_unique(struct buf *out, const char *path, struct cooc_err *err)
{
    uint64_t digits;
    int rc = path_temporary(out, path, err);

    if (rc == 0 && getrandom(&digits, sizeof digits, 0) != sizeof digits)
        rc = err_set(err, COOC_EIO, "cannot get random bytes");
    return rc < 0 ? rc : buf_printf(out, err, "-%016" PRIx64, digits);
}

int file_create(const char *path, int flags)
{
    workdir_unlink(path); /* if this fails, the next call reports it */
    return workdir_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
                        O_CLOEXEC | flags, 0666);
}

/* Append random digits to *name and create a new file with that name. */
static int create_random_name(struct buf *name, int flags, mode_t mode)
{
    size_t len = name->len;
    uint64_t digits;
    int fd = -1;

    do {
        name->len = len;
        if (getrandom(&digits, sizeof digits, 0) != sizeof digits)
            break;
        if (buf_printf(name, NULL, "%016" PRIx64, digits) < 0) {
            errno = ENOMEM;
            break;
        }
        fd = workdir_open(name->data,
                          O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags,
                          mode);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

int file_create_beside(char **tmp, const char *path)
{
    size_t at = name_at(path);
    struct buf name = { 0 };
    int fd = -1;

    *tmp = NULL;
    if (buf_printf(&name, NULL, "%.*s.%s.tmp-", (int)at, path, path + at) < 0)
        errno = ENOMEM;
    else
        fd = create_random_name(&name, O_WRONLY, 0666);
    if (fd >= 0)
        *tmp = name.data;
    else
        mem_free(name.data);
    return fd;
}

int file_write_atomic(const char *path, const void *data, size_t len,
                      struct cooc_err *err)
{
    struct buf tmp = { 0 };
    int fd = -1, rc;

    rc = path_temporary(&tmp, path, err);
    if (rc == 0) {
        fd = file_create(tmp.data, 0);
        rc = fd < 0 ? err_sys(err, "cannot create", tmp.data) : 0;
    }
    if (rc < 0)
        goto out;
    rc = file_write(fd, data, len, tmp.data, err);
    if (rc == 0 && fsync(fd) < 0)
        rc = err_sys(err, "cannot sync", tmp.data);
    if (close(fd) < 0 && rc == 0)
        rc = err_sys(err, "cannot close", tmp.data);
    if (rc == 0 && workdir_rename(tmp.data, path, 0) < 0)
        rc = err_sys(err, "cannot rename the temporary file to this name",
                     path);
    if (rc < 0)
        workdir_unlink(tmp.data);
out:
    buf_release(&tmp);
    return rc;
}

int file_temp(int *out, const char *dir, struct cooc_err *err)
{
    struct buf name = { 0 };
    int rc = 0, fd = workdir_open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    *out = -1;
    if (fd >= 0) {
        *out = fd;
        return 0;
    }
    /* The file system may lack O_TMPFILE: create a name, then remove it. */
    rc = buf_printf(&name, err, "%s/.tmp-", dir);
    if (rc < 0)
        return rc;
    fd = create_random_name(&name, O_RDWR, 0600);
    if (fd < 0)
        rc = err_sys(err, "cannot create a temporary file", dir);
    else
        workdir_unlink(name.data);
    *out = fd;
    buf_release(&name);
    return rc;
}

int dir_room(uint64_t *bytes, const char *dir, struct cooc_err *err)
{
    struct statvfs v;

    *bytes = 0;
    if (workdir_statvfs(dir, &v) < 0)
        return err_sys(err, "cannot get the free space", dir);
    *bytes = (uint64_t)v.f_bavail * v.f_frsize;
    return 0;
}

int dir_sync(const char *path, struct cooc_err *err)
{
    int fd = workdir_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), rc = 0;

    if (fd < 0)
        return err_sys(err, "cannot open", path);
    if (fsync(fd) < 0 && errno != EINVAL)
        rc = err_sys(err, "cannot sync", path);
    close(fd);
    return rc;
}

int dir_empty(const char *path, struct cooc_err *err)
{
    DIR *d = workdir_opendir(path, 0);
    struct dirent *e;
    int rc = 0;

    if (!d)
        return errno == ENOENT ? 0 : err_sys(err, "cannot open", path);
    while ((e = readdir(d)) != NULL) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        if (unlinkat(dirfd(d), e->d_name, 0) < 0 && errno != ENOENT) {
            rc = err_sys(err, "cannot truncate", path);
            break;
        }
    }
    closedir(d);
    return rc;
}

int dir_remove(const char *path, struct cooc_err *err)
{
    int rc = dir_empty(path, err);

    if (rc == 0 && workdir_rmdir(path) < 0 && errno != ENOENT)
        rc = err_sys(err, "cannot remove", path);
    return rc;
}

/* Return the id of the process that holds the lock, or 0 if unknown. */
static long lock_holder(int fd)
{
    FILE *locks = fopen("/proc/locks", "re");
    unsigned major_id, minor_id;
    unsigned long long ino;
    struct stat st;
    char line[256];
    long pid, holder = 0;

    while (locks && fstat(fd, &st) == 0 && holder <= 0 &&
           fgets(line, sizeof line, locks))
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%llu", &pid,
                   &major_id, &minor_id, &ino) == 4 &&
            ino == st.st_ino && makedev(major_id, minor_id) == st.st_dev)
            holder = pid;
    if (locks)
        fclose(locks);
    return holder > 0 ? holder : 0;
}

static int err_locked(int fd, const char *name, struct cooc_err *err)
{
    long holder = lock_holder(fd);
    char who[40] = "";

    if (holder)
        snprintf(who, sizeof who, " (process %ld)", holder);
    if (holder == (long)getpid())
        return err_path(err, COOC_EBUSY, name,
                        "another call in this process is writing this store; "
                        "wait until it finishes");
    return err_path(err, COOC_EBUSY, name,
                    "another process%s is writing this store; wait until it "
                    "finishes", who);
}

bool dir_is(int fd, const char *path)
{
    struct stat mine, named;

    if (fstat(fd, &mine) < 0 || workdir_stat(path, &named) < 0)
        return false;
    errno = 0;
    return mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

static int lock_dir(int *out, const char *path, const char *name, int how,
                    struct cooc_err *err)
{
    *out = -1;
    for (;;) {
        int fd = workdir_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        int rc = 0;

        if (fd < 0)
            return err_sys(err, "cannot open", path);
        if (flock(fd, how | LOCK_NB) < 0)
            rc = errno == EWOULDBLOCK ? err_locked(fd, name, err)
                                      : err_sys(err, "cannot lock", path);
        else if (dir_is(fd, path))
            *out = fd;
        else if (errno && errno != ENOENT)
            rc = err_sys(err, "cannot stat", path);
        if (*out == fd)
            return 0;
        dir_unlock(fd);
        if (rc < 0)
            return rc;
        /* The holder has just replaced or removed the directory: try again. */
    }
}

int dir_lock(int *out, const char *path, const char *name,
             struct cooc_err *err)
{
    return lock_dir(out, path, name, LOCK_EX, err);
}

int dir_lock_shared(int *out, const char *path, const char *name,
                    struct cooc_err *err)
{
    return lock_dir(out, path, name, LOCK_SH, err);
}

void dir_unlock(int fd)
{
    if (fd < 0)
        return;
    flock(fd, LOCK_UN);
    close(fd);
}
