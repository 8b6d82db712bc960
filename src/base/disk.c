/* disk.c - write around the page cache, in the background. */
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
    const char *path;
    void *memory;      /* the buffers are in it */
    uint8_t *buffers[2];
    unsigned filling;  /* which of them is the caller's */
    uint64_t size;     /* handed over so far */
    pthread_t thread;
    bool has_thread;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool pending; /* the other buffer, the last of size, is to be written */
    bool closing;
    int failed; /* errno of the first write that failed */
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
    if (f->fd < 0 && errno == EINVAL) /* not on this file system */
        f->fd = file_create(f->path, 0);
    return f->fd < 0 ? err_sys(err, "cannot create", f->path) : 0;
}

int disk_create(struct disk_file **out, const char *path,
                struct cooc_err *err)
{
    struct disk_file *f = mem_zarray(1, sizeof *f);
    int rc;

    *out = NULL;
    if (!f)
        return err_nomem(err);
    f->fd = -1;
    f->path = path;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->memory = mem_array(2 * DISK_BUFFER + DIRECT_ALIGN, 1);
    rc = f->memory ? open_file(f, err) : err_nomem(err);
    if (rc < 0) {
        disk_close(f);
        return rc;
    }
    f->buffers[0] = (uint8_t *)f->memory +
                    (-(uintptr_t)f->memory & (DIRECT_ALIGN - 1));
    f->buffers[1] = f->buffers[0] + DISK_BUFFER;
    *out = f;
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

/* Wait until nothing is on its way. */
static int wait_written(struct disk_file *f)
{
    while (f->pending)
        pthread_cond_wait(&f->changed, &f->lock);
    return f->failed;
}

int disk_push(struct disk_file *f, struct cooc_err *err)
{
    int failed;

    pthread_mutex_lock(&f->lock);
    failed = wait_written(f);
    if (!failed && !f->has_thread) /* small files need none */
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
    int failed;

    pthread_mutex_lock(&f->lock);
    failed = wait_written(f);
    pthread_mutex_unlock(&f->lock);
    memset(disk_buffer(f) + len, 0, padded - len);
    if (!failed)
        failed = file_pwrite(f->fd, disk_buffer(f), padded, f->size);
    if (!failed &&
        (ftruncate(f->fd, (off_t)(f->size + len)) < 0 || fsync(f->fd) < 0))
        failed = errno;
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
    if (f->fd >= 0)
        close(f->fd);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->changed);
    mem_free(f->memory);
    mem_free(f);
}
