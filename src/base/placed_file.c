/* placed_file.c - write a checked file in pieces, in any order.
 *
 * A piece is hashed block by block.  Blocks that lie within the piece are
 * hashed in place; of the others, at most two per piece, a copy is collected
 * until they are complete.
 *
 * Every EARLY bytes, the kernel is asked to start writing to the disk, so that
 * the sync at the end does not have to wait for the whole file.
 */
#include "base/placed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/checked_footer.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/workdir.h"

#define BLOCK CHECKED_FILE_BLOCK
#define EARLY ((uint64_t)8 << 20)

/* A block of which some pieces are still missing. */
struct part {
    uint64_t block;
    size_t filled;
    struct part *next;
    uint8_t bytes[BLOCK];
};

struct placed_file {
    int fd;
    struct buf path, tmp;
    char kind[8];
    bool committed;
    void *map;
    size_t map_size;

    pthread_mutex_t lock; /* protects the fields below */
    uint64_t payload, placed; /* end of the last piece; bytes of all pieces */
    uint64_t unwritten; /* bytes since the kernel was asked to write */
    uint8_t *table; /* 8 bytes per block */
    size_t table_cap; /* in blocks */
    struct part *parts;
};

int placed_file_create(struct placed_file **out, const char *path,
                       const char *kind, struct cooc_err *err)
{
    struct placed_file *f = mem_zarray(1, sizeof *f);
    int rc;

    *out = NULL;
    if (!f)
        return err_nomem(err);
    f->fd = -1;
    pthread_mutex_init(&f->lock, NULL);
    memcpy(f->kind, kind, strnlen(kind, sizeof f->kind));
    rc = buf_printf(&f->path, err, "%s", path);
    if (rc == 0)
        rc = path_temporary(&f->tmp, path, err);
    if (rc == 0) {
        f->fd = file_create(f->tmp.data, 0);
        rc = f->fd < 0 ? err_sys(err, "cannot create", f->tmp.data) : 0;
    }
    if (rc < 0)
        placed_file_free(f);
    else
        *out = f;
    return rc;
}

static uint64_t blocks_of(uint64_t bytes)
{
    return bytes / BLOCK + (bytes % BLOCK != 0);
}

/* Note a piece; make room in the table for its blocks.  Returns whether it is
 * time to start writing to the disk in *early. */
static int note_piece(struct placed_file *f, uint64_t off, size_t len,
                      bool *early, struct cooc_err *err)
{
    uint64_t end = off + len;
    int rc;

    pthread_mutex_lock(&f->lock);
    rc = array_grow(&f->table, &f->table_cap, blocks_of(end), 8, err);
    if (rc == 0 && f->payload < end)
        f->payload = end;
    f->placed += len;
    f->unwritten += len;
    *early = f->unwritten >= EARLY;
    if (*early)
        f->unwritten = 0;
    pthread_mutex_unlock(&f->lock);
    return rc;
}

/* Find the collected part of a block, or begin it.  NULL if out of memory. */
static struct part *part_of(struct placed_file *f, uint64_t block)
{
    struct part *p = f->parts;

    while (p && p->block != block)
        p = p->next;
    if (p)
        return p;
    p = mem_array(1, sizeof *p);
    if (!p)
        return NULL;
    p->block = block;
    p->filled = 0;
    p->next = f->parts;
    f->parts = p;
    return p;
}

static void drop_part(struct placed_file *f, struct part *p)
{
    struct part **at = &f->parts;

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    mem_free(p);
}

/* Collect len bytes at the given offset of a block, and hash the block if it
 * is complete. */
static int collect(struct placed_file *f, uint64_t block, size_t at,
                   const uint8_t *data, size_t len, struct cooc_err *err)
{
    struct part *p;

    pthread_mutex_lock(&f->lock);
    p = part_of(f, block);
    if (p) {
        memcpy(p->bytes + at, data, len);
        p->filled += len;
        if (p->filled == BLOCK) {
            put_le64(f->table + block * 8, XXH3_64bits(p->bytes, BLOCK));
            drop_part(f, p);
        }
    }
    pthread_mutex_unlock(&f->lock);
    return p ? 0 : err_nomem(err);
}

static int sum_piece(struct placed_file *f, uint64_t off, const uint8_t *data,
                     size_t len, struct cooc_err *err)
{
    int rc = 0;

    while (len > 0 && rc == 0) {
        size_t at = off % BLOCK, n = BLOCK - at < len ? BLOCK - at : len;

        if (n < BLOCK) {
            rc = collect(f, off / BLOCK, at, data, n, err);
        } else {
            uint64_t sum = XXH3_64bits(data, BLOCK);

            pthread_mutex_lock(&f->lock); /* the table may move */
            put_le64(f->table + off / BLOCK * 8, sum);
            pthread_mutex_unlock(&f->lock);
        }
        off += n;
        data += n;
        len -= n;
    }
    return rc;
}

static int write_at(struct placed_file *f, uint64_t off, const void *data,
                    size_t len, struct cooc_err *err)
{
    errno = file_pwrite(f->fd, data, len, off);
    return errno ? err_sys(err, "cannot write", f->tmp.data) : 0;
}

int placed_file_put(struct placed_file *f, uint64_t off, const void *data,
                    size_t len, struct cooc_err *err)
{
    bool early = false;
    int rc = len ? note_piece(f, off, len, &early, err) : 0;

    if (rc == 0)
        rc = sum_piece(f, off, data, len, err);
    if (rc == 0)
        rc = write_at(f, off, data, len, err);
    if (rc == 0 && early) /* a hint: may fail */
        (void)sync_file_range(f->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    return rc;
}

/* Put integers of 4 or 8 bytes; on big-endian hosts, swap a block at a time. */
static int put_integers(struct placed_file *f, uint64_t off, const void *v,
                        size_t len, size_t bytes, struct cooc_err *err)
{
    const uint8_t *p = v;
    uint8_t swapped[4096];
    int rc = 0;

    if (!FOREIGN)
        return placed_file_put(f, off, v, len, err);
    for (size_t n; len > 0 && rc == 0; p += n, off += n, len -= n) {
        n = len < sizeof swapped ? len : sizeof swapped;
        for (size_t i = 0; i < n; i++)
            swapped[i] = p[i / bytes * bytes + bytes - 1 - i % bytes];
        rc = placed_file_put(f, off, swapped, n, err);
    }
    return rc;
}

int placed_file_put_u32(struct placed_file *f, uint64_t off,
                        const uint32_t *v, size_t n, struct cooc_err *err)
{
    return put_integers(f, off, v, n * sizeof *v, sizeof *v, err);
}

int placed_file_put_u64(struct placed_file *f, uint64_t off,
                        const uint64_t *v, size_t n, struct cooc_err *err)
{
    return put_integers(f, off, v, n * sizeof *v, sizeof *v, err);
}

uint64_t placed_file_size(const struct placed_file *f)
{
    return f->payload;
}

int placed_file_map(struct placed_file *f, const void **out,
                    struct cooc_err *err)
{
    int fd, rc;
    void *p;

    *out = "";
    if (!f->payload)
        return 0;
    rc = file_open_own(&fd, AT_FDCWD, f->tmp.data, err);
    if (rc < 0)
        return rc;
    p = mmap(NULL, (size_t)f->payload, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        rc = err_sys(err, "cannot map", f->tmp.data);
    close(fd);
    if (rc < 0)
        return rc;
    f->map = p;
    f->map_size = (size_t)f->payload;
    *out = p;
    return 0;
}

int placed_file_commit(struct placed_file *f, struct checked_file_id *id,
                       struct cooc_err *err)
{
    uint8_t footer[CHECKED_FILE_FOOTER];
    size_t table_bytes = (size_t)blocks_of(f->payload) * 8;
    struct part *last = f->parts;
    int rc;

    if (last && last->filled == f->payload % BLOCK) {
        put_le64(f->table + last->block * 8,
                 XXH3_64bits(last->bytes, last->filled));
        drop_part(f, last);
    }
    if (f->parts || f->placed != f->payload)
        return err_path(err, COOC_EIO, f->tmp.data, "was written with gaps");
    checked_footer_make(footer, f->kind, f->payload, f->table, table_bytes,
                        id);
    rc = write_at(f, f->payload, f->table, table_bytes, err);
    if (rc == 0)
        rc = write_at(f, f->payload + table_bytes, footer, sizeof footer, err);
    if (rc < 0)
        return rc;
    if (fsync(f->fd) < 0)
        return err_sys(err, "cannot write", f->tmp.data);
    if (workdir_rename(f->tmp.data, f->path.data, 0) < 0)
        return err_sys(err, "cannot rename the temporary file to this name",
                       f->path.data);
    f->committed = true;
    return 0;
}

void placed_file_free(struct placed_file *f)
{
    if (!f)
        return;
    if (f->map)
        munmap(f->map, f->map_size);
    if (f->fd >= 0 && !f->committed)
        workdir_unlink(f->tmp.data);
    if (f->fd >= 0)
        close(f->fd);
    while (f->parts)
        drop_part(f, f->parts);
    pthread_mutex_destroy(&f->lock);
    buf_release(&f->path);
    buf_release(&f->tmp);
    mem_free(f->table);
    mem_free(f);
}
