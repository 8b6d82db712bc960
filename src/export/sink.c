/* sink.c - bulk output: a large buffer for stdout, a file or a callback. */
#include "export/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/watch.h"
#include "base/workdir.h"

#define SINK_LARGE ((size_t)1 << 16) /* not copied to the buffer */
#define POLL_MS 200 /* between checks of the watch */

int sink_failed(const struct sink *s, struct cooc_err *err)
{
    int saved = errno;

    if (!s->path)
        return err_add_errno(
            err, err_set(err, saved == ENOSPC ? COOC_EFULL : COOC_EIO,
                         "cannot write to standard output: %s",
                         strerror(saved)), saved);
    return err_sys(err, "cannot write", s->path);
}

/* The descriptor of a path such as /dev/stderr or /dev/fd/3, or -1.  The open
 * file may have no name, and other processes may write to it as well. */
static int descriptor(const char *path)
{
    char own[40];
    const char *const before[] = { "/dev/fd/", "/proc/self/fd/",
                                   "/proc/thread-self/fd/", own };

    if (!strcmp(path, "/dev/stdin"))
        return STDIN_FILENO;
    if (!strcmp(path, "/dev/stdout"))
        return STDOUT_FILENO;
    if (!strcmp(path, "/dev/stderr"))
        return STDERR_FILENO;
    snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *digits = path + strlen(before[i]);
        long fd;

        if (strncmp(path, before[i], strlen(before[i])) != 0)
            continue;
        if (!*digits || digits[strspn(digits, "0123456789")])
            return -1; /* a file in an open directory */
        fd = strtol(digits, NULL, 10);
        return fd < INT_MAX ? (int)fd : INT_MAX; /* INT_MAX is not open */
    }
    return -1;
}

bool sink_is_descriptor(const char *path)
{
    return descriptor(path) >= 0;
}

/* Write through a duplicate, at the current offset.  Opening the path again
 * would start at offset 0, and is not possible for a socket. */
static int open_descriptor(struct sink *s, int fd, struct cooc_err *err)
{
    int flags;

    s->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    flags = s->fd < 0 ? -1 : fcntl(s->fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF; /* as write() would report later */
        flags = -1;
    }
    return flags < 0 ? sink_failed(s, err) : 0;
}

/* Only a regular file, or a file that does not exist yet, is replaced by
 * renaming: /dev/null or a named pipe must not be replaced.  Neither must a
 * symbolic link, which may belong to the system; its target is replaced. */
static int open_file(struct sink *s, const char *path, struct cooc_err *err)
{
    int rc, fd = descriptor(path);
    struct stat st;

    if (fd < 0) {
        rc = workdir_follow(&s->path, path, err);
    } else {
        s->path = mem_dup(path, strlen(path));
        rc = s->path ? 0 : err_nomem(err);
    }
    if (rc == 0)
        rc = path_dir(&s->dir, s->path, err);
    if (rc < 0)
        return rc;
    if (fd >= 0)
        return open_descriptor(s, fd, err);
    if (recognise_store(s->dir))
        return err_path(err, COOC_EINVAL, path,
                        "is inside a store; name a file in another directory");
    if (workdir_stat(s->path, &st) != 0 || S_ISREG(st.st_mode))
        s->fd = file_create_beside(&s->tmp, s->path);
    else
        s->fd = workdir_open(s->path, O_WRONLY | O_CLOEXEC, 0);
    return s->fd < 0 ? sink_failed(s, err) : 0;
}

static int open_buffer(struct sink *s, struct cooc_err *err)
{
    s->p = s->buf = mem_array(SINK_ROOM, 1);
    return s->buf ? 0 : err_nomem(err);
}

int sink_open(struct sink *s, const char *path, struct cooc_err *err)
{
    bool to_stdout = !path || !strcmp(path, "-");
    int rc;

    *s = (struct sink){ .fd = to_stdout ? STDOUT_FILENO : -1 };
    rc = open_buffer(s, err);
    return rc < 0 || to_stdout ? rc : open_file(s, path, err);
}

int sink_open_callback(struct sink *s, cooc_write_fn write, void *self,
                       struct cooc_err *err)
{
    *s = (struct sink){ .fd = -1, .write = write, .self = self };
    return open_buffer(s, err);
}

static int call_back(struct sink *s, const char *from, size_t len,
                     struct cooc_err *err)
{
    if (!len)
        return 0;
    s->stopped = s->write(s->self, from, len, err);
    if (s->stopped)
        return COOC_ECANCELLED;
    s->written += len;
    return 0;
}

/* After a failed write: wait if the descriptor was not ready.  Returns whether
 * to try again. */
static bool waited(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLOUT };

    if (errno != EAGAIN)
        return errno == EINTR;
    return poll(&p, 1, POLL_MS) >= 0 || errno == EINTR;
}

/* Write to a stream, or to a file that is small. */
static int write_here(struct sink *s, const char *from, const char *end,
                      struct cooc_err *err)
{
    int rc = 0;

    while (from < end && rc == 0) {
        ssize_t n = write(s->fd, from, (size_t)(end - from));

        if (n < 0 && !waited(s->fd))
            return sink_failed(s, err);
        if (n < end - from) /* interrupted by a signal, on a pipe */
            rc = watch_ask(s->watch, err);
        if (n > 0) {
            from += n;
            s->written += (uint64_t)n;
        }
    }
    return rc;
}

static int write_to_disk(struct sink *s, const char *from, size_t len,
                         struct cooc_err *err)
{
    int rc = s->disk ? 0 : disk_open(&s->disk, s->fd, 0, s->path, err);

    if (rc == 0)
        rc = disk_write(s->disk, from, len, err);
    if (rc == 0)
        s->written += len;
    return rc;
}

static int write_all(struct sink *s, const char *from, const char *end,
                     struct cooc_err *err)
{
    if (s->write)
        return call_back(s, from, (size_t)(end - from), err);
    if (s->tmp || s->disk)
        return write_to_disk(s, from, (size_t)(end - from), err);
    return write_here(s, from, end, err);
}

static int flush(struct sink *s, struct cooc_err *err)
{
    int rc = write_all(s, s->buf, s->p, err);

    s->p = s->buf;
    return rc;
}

/* ---- two parts of a file ------------------------------------------------ */

bool sink_has_parts(const struct sink *s)
{
    return s->tmp;
}

int sink_open_part(struct sink *part, struct sink *s, uint64_t at,
                   struct cooc_err *err)
{
    int rc;

    *part = (struct sink){ .fd = -1, .watch = s->watch };
    rc = open_buffer(part, err);
    return rc == 0 ? disk_open(&part->disk, s->fd, at, s->path, err) : rc;
}

int sink_join(struct sink *s, struct sink *part, struct cooc_err *err)
{
    int rc = flush(s, err);

    if (rc == 0)
        rc = disk_join(s->disk, part->disk, err);
    if (rc == 0)
        rc = flush(part, err);
    if (rc == 0)
        rc = disk_end(part->disk, err);
    s->written += part->written;
    disk_close(s->disk);
    s->disk = NULL;
    sink_release(part);
    return rc;
}

/* ---- adding bytes ------------------------------------------------------- */

int sink_room(struct sink *s, size_t n, struct cooc_err *err)
{
    if (n > SINK_ROOM)
        return err_set(err, COOC_ELIMIT,
                       "a line has %zu bytes; at most %zu are supported; "
                       "choose another format", n, SINK_ROOM);
    if (SINK_ROOM - (size_t)(s->p - s->buf) >= n)
        return 0;
    return flush(s, err);
}

int sink_add(struct sink *s, const void *data, size_t len,
             struct cooc_err *err)
{
    int rc = 0;

    if (len > SINK_ROOM - (size_t)(s->p - s->buf))
        rc = flush(s, err);
    if (rc == 0 && len >= SINK_LARGE && s->p > s->buf)
        rc = flush(s, err);
    if (rc == 0 && len >= SINK_LARGE) /* write without copying */
        return write_all(s, data, (const char *)data + len, err);
    if (rc == 0 && len) {
        memcpy(s->p, data, len);
        s->p += len;
    }
    return rc;
}

int sink_text(struct sink *s, const char *text, struct cooc_err *err)
{
    return sink_add(s, text, strlen(text), err);
}

int sink_printf(struct sink *s, struct cooc_err *err, const char *fmt, ...)
{
    va_list ap;
    int n, rc = sink_room(s, SINK_ROOM / 4, err);

    if (rc < 0)
        return rc;
    va_start(ap, fmt);
    n = vsnprintf(s->p, SINK_ROOM / 4, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= SINK_ROOM / 4)
        return err_set(err, COOC_ELIMIT,
                       "a line has %d bytes; at most %zu are supported; "
                       "choose another format", n, SINK_ROOM / 4 - 1);
    s->p += n;
    return 0;
}

int sink_finish(struct sink *s, struct cooc_err *err)
{
    int rc;

    if (!s->buf)
        return 0;
    if (s->disk || s->write)
        rc = flush(s, err);
    else
        rc = write_here(s, s->buf, s->p, err);
    s->p = s->buf;
    if (rc < 0 || !s->path)
        return rc;
    if (s->disk)
        rc = disk_end(s->disk, err);
    else if (s->tmp && fsync(s->fd) != 0)
        return sink_failed(s, err);
    disk_close(s->disk);
    s->disk = NULL;
    if (rc < 0)
        return rc;
    rc = close(s->fd);
    s->fd = -1;
    return rc != 0 ? sink_failed(s, err) : 0;
}

int sink_clear(struct sink *s, struct cooc_err *err)
{
    if (!s->tmp)
        return 0;
    if (workdir_unlink(s->path) == 0)
        return dir_sync(s->dir, err);
    return errno == ENOENT ? 0 : err_sys(err, "cannot replace", s->path);
}

int sink_commit(struct sink *s, struct cooc_err *err)
{
    if (!s->tmp)
        return 0;
    if (workdir_rename(s->tmp, s->path, 0) != 0)
        return err_sys(err, "cannot rename the temporary file to this name",
                       s->path);
    mem_free(s->tmp);
    s->tmp = NULL;
    return dir_sync(s->dir, err);
}

void sink_release(struct sink *s)
{
    disk_close(s->disk);
    if (s->path && s->fd >= 0)
        close(s->fd);
    if (s->tmp)
        workdir_unlink(s->tmp);
    mem_free(s->tmp);
    mem_free(s->path);
    mem_free(s->dir);
    mem_free(s->buf);
    *s = (struct sink)SINK_CLOSED;
}

/* Whether path is a pipe or device.  Opening one may block until there is a
 * reader, and closing it again ends the reader. */
static bool is_special(const char *path)
{
    struct stat st;

    return workdir_stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
           !S_ISDIR(st.st_mode);
}

int cooc_write_file(const char *path, const void *data, size_t len,
                    struct cooc_err *err)
{
    struct sink s = SINK_CLOSED;
    int rc;

    if (!data && is_special(path))
        return 0;
    rc = sink_open(&s, path, err);
    if (rc == 0 && data)
        rc = sink_add(&s, data, len, err);
    if (rc == 0 && data)
        rc = sink_finish(&s, err);
    if (rc == 0 && data)
        rc = sink_commit(&s, err);
    sink_release(&s);
    return rc;
}
