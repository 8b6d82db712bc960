/* disk.c - two buffers, one thread that writes them with O_DIRECT.
 *
 * The thread is started by the first full buffer, so small files do not need
 * one.  If it cannot be started, disk_push() writes the buffer itself.  With
 * O_DIRECT, only whole blocks can be written: the last one is padded with
 * zeros, and then the file is truncated to its size.
 */
#include "base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/workdir.h"

struct disk_file {
    int fd;
    bool own_fd;       /* close fd at the end */
    bool joined;       /* another disk_file writes what is before */
    const char *path;
    void *memory;      /* one allocation for both buffers */
    uint8_t *buffers[2];
    unsigned filling;  /* index of the buffer that the caller fills */
    uint64_t size;     /* offset in the file of the buffer being filled */
    size_t used;       /* bytes in it, from disk_write() */
    uint8_t *first;    /* copy of the first block for disk_join(), or NULL */
    pthread_t thread;
    bool has_thread;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool pending; /* the other buffer must be written, at size - DISK_BUFFER */
    bool closing;
    int failed; /* errno of the first failed write, or 0 */
};

static void *write_behind(void *self)
{
    struct disk_file *f = self;

    pthread_mutex_lock(&f->lock);
    for (;;) {
        const uint8_t *data;
        uint64_t at;
        int failed;

        while (!f->pending && !f->closing)
            pthread_cond_wait(&f->changed, &f->lock);
        if (!f->pending)
            break;
        data = f->buffers[!f->filling];
        at = f->size - DISK_BUFFER;
        pthread_mutex_unlock(&f->lock);
        failed = file_pwrite(f->fd, data, DISK_BUFFER, at);
        pthread_mutex_lock(&f->lock);
        f->pending = false;
        if (failed && !f->failed)
            f->failed = failed;
        pthread_cond_broadcast(&f->changed);
    }
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static int open_file(struct disk_file *f, struct cooc_err *err)
{
    f->fd = file_create(f->path, O_DIRECT);
    if (f->fd < 0 && errno == EINVAL) /* the file system has no O_DIRECT */
        f->fd = file_create(f->path, 0);
    return f->fd < 0 ? err_sys(err, "cannot create", f->path) : 0;
}

static int new_file(struct disk_file **out, const char *path,
                    struct cooc_err *err)
{
    struct disk_file *f = *out = mem_zarray(1, sizeof *f);

    if (!f)
        return err_nomem(err);
    f->fd = -1;
    f->own_fd = true;
    f->path = path;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->memory = mem_array(2 * DISK_BUFFER + DIRECT_ALIGN, 1);
    if (!f->memory)
        return err_nomem(err);
    f->buffers[0] = (uint8_t *)f->memory +
                    (-(uintptr_t)f->memory & (DIRECT_ALIGN - 1));
    f->buffers[1] = f->buffers[0] + DISK_BUFFER;
    return 0;
}

int disk_create(struct disk_file **out, const char *path,
                struct cooc_err *err)
{
    int rc = new_file(out, path, err);

    if (rc == 0)
        rc = open_file(*out, err);
    if (rc < 0) {
        disk_close(*out);
        *out = NULL;
    }
    return rc;
}

int disk_open(struct disk_file **out, int fd, uint64_t at, const char *path,
              struct cooc_err *err)
{
    int rc = new_file(out, path, err);
    struct disk_file *f = *out;

    if (rc < 0) {
        disk_close(f);
        *out = NULL;
        return rc;
    }
    f->fd = fd;
    f->own_fd = false;
    f->joined = at > 0;
    f->used = at % DIRECT_ALIGN;
    f->size = at - f->used;
    memset(disk_buffer(f), 0, f->used);
    /* A file system without O_DIRECT refuses it here. */
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT);
    return 0;
}

uint8_t *disk_buffer(struct disk_file *f)
{
    return f->buffers[f->filling];
}

static int failure(struct disk_file *f, int failed, struct cooc_err *err)
{
    if (!failed)
        return 0;
    errno = failed;
    return err_sys(err, "cannot write", f->path);
}

/* Wait until the background write is finished; return its errno or 0.  The
 * caller holds the lock. */
static int wait_written(struct disk_file *f)
{
    while (f->pending)
        pthread_cond_wait(&f->changed, &f->lock);
    return f->failed;
}

static int wait_unlocked(struct disk_file *f)
{
    int failed;

    pthread_mutex_lock(&f->lock);
    failed = wait_written(f);
    pthread_mutex_unlock(&f->lock);
    return failed;
}

int disk_push(struct disk_file *f, struct cooc_err *err)
{
    int failed;

    pthread_mutex_lock(&f->lock);
    failed = wait_written(f);
    if (!failed && !f->has_thread) /* the first full buffer */
        f->has_thread = !pthread_create(&f->thread, NULL, write_behind, f);
    if (!failed && !f->has_thread)
        failed = f->failed = file_pwrite(f->fd, disk_buffer(f), DISK_BUFFER,
                                         f->size);
    else if (!failed) {
        f->pending = true;
        f->filling = !f->filling;
        pthread_cond_broadcast(&f->changed);
    }
    f->size += DISK_BUFFER;
    pthread_mutex_unlock(&f->lock);
    return failure(f, failed, err);
}

int disk_finish(struct disk_file *f, size_t len, struct cooc_err *err)
{
    size_t padded = (len + DIRECT_ALIGN - 1) / DIRECT_ALIGN * DIRECT_ALIGN;
    int failed = wait_unlocked(f);

    memset(disk_buffer(f) + len, 0, padded - len);
    if (!failed)
        failed = file_pwrite(f->fd, disk_buffer(f), padded, f->size);
    if (!failed &&
        (ftruncate(f->fd, (off_t)(f->size + len)) < 0 || fsync(f->fd) < 0))
        failed = errno;
    return failure(f, failed, err);
}

/* Keep a copy of the first block if it begins with bytes of another writer. */
static int keep_first(struct disk_file *f, struct cooc_err *err)
{
    if (!f->joined || f->first)
        return 0;
    f->first = mem_array(DIRECT_ALIGN, 1);
    if (!f->first)
        return err_nomem(err);
    memcpy(f->first, disk_buffer(f), DIRECT_ALIGN);
    return 0;
}

int disk_write(struct disk_file *f, const void *data, size_t len,
               struct cooc_err *err)
{
    const uint8_t *from = data;
    int rc = 0;

    while (len > 0 && rc == 0) {
        size_t room = DISK_BUFFER - f->used, n = len < room ? len : room;

        memcpy(disk_buffer(f) + f->used, from, n);
        from += n;
        len -= n;
        f->used += n;
        if (f->used < DISK_BUFFER)
            continue;
        f->used = 0;
        rc = keep_first(f, err);
        if (rc == 0)
            rc = disk_push(f, err);
    }
    return rc;
}

int disk_end(struct disk_file *f, struct cooc_err *err)
{
    return disk_finish(f, f->used, err);
}

/* The last block of f is the first one of next.  If next has written it
 * already, with zeros, f writes it again; otherwise next writes it later. */
int disk_join(struct disk_file *f, struct disk_file *next,
              struct cooc_err *err)
{
    size_t part = f->used % DIRECT_ALIGN, len = f->used - part;
    int failed = wait_unlocked(f), other = wait_unlocked(next);

    failed = failed ? failed : other;
    if (part && next->first) {
        memcpy(disk_buffer(f) + f->used, next->first + part,
               DIRECT_ALIGN - part);
        len += DIRECT_ALIGN;
    } else if (part) {
        memcpy(disk_buffer(next), disk_buffer(f) + len, part);
    }
    if (!failed)
        failed = file_pwrite(f->fd, disk_buffer(f), len, f->size);
    return failure(f, failed, err);
}

void disk_close(struct disk_file *f)
{
    if (!f)
        return;
    if (f->has_thread) {
        pthread_mutex_lock(&f->lock);
        f->closing = true;
        pthread_cond_broadcast(&f->changed);
        pthread_mutex_unlock(&f->lock);
        pthread_join(f->thread, NULL);
    }
    if (f->own_fd && f->fd >= 0)
        close(f->fd);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->changed);
    mem_free(f->first);
    mem_free(f->memory);
    mem_free(f);
}
