/* checked_file.c - map files with checksums and verify each block once.
 *
 * A block is verified at its first use; an array of flags, one per block,
 * remembers that.  Two threads may verify the same block at the same time,
 * which is harmless.
 *
 * Cost.  Reading a verified range costs one atomic load per block of 64 KiB.
 */
#include "base/checked_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
/* Compiled here with the options of this program, XXH3 is 1.6 times as fast as
 * in the shared library of Debian 12. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/buf.h"
#include "base/checked_footer.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "base/workdir.h"

#define AROUND 65536 /* bytes that Linux maps around a page fault */
#define VERIFY_BYTES ((uint64_t)4 << 20) /* between two progress reports */

struct checked_file {
    uint8_t *map;
    size_t map_size;
    uint64_t payload, blocks; /* computed from the size of the file */
    char kind[8];
    bool has_id;
    struct checked_file_id id; /* expected, if has_id */
    atomic_bool footer_checked; /* footer and table are verified */
    atomic_uchar *seen;   /* one flag per block: it is verified */
    size_t swap;          /* size of the integers to swap, or 0 */
    pthread_mutex_t swapping;
    struct buf path;
};

/* Verify footer and table of a mapped file.  Several threads may do this at the
 * same time. */
static int check_footer(struct checked_file *b, struct cooc_err *err)
{
    const char *path = b->path.data;
    const uint8_t *f = b->map + b->map_size - CHECKED_FILE_FOOTER;

    if (memcmp(f, CHECKED_FILE_MAGIC, 8) != 0 ||
        get_le64(f + 40) != XXH3_64bits(f, 40))
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: its footer is invalid");
    if (memcmp(f + 8, b->kind, 8) != 0 || get_le32(f + 16) != 1 ||
        get_le32(f + 20) != CHECKED_FILE_BLOCK)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: it is not a '%.8s' file", b->kind);
    if (b->has_id && XXH3_64bits(f, CHECKED_FILE_FOOTER) != b->id.hash)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: it is not the file that the manifest "
                        "names");
    if (get_le64(f + 24) != b->payload)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: its sizes do not add up");
    if (XXH3_64bits(b->map + b->payload, b->blocks * 8) != get_le64(f + 32))
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: its checksum table is invalid");
    atomic_store_explicit(&b->footer_checked, true, memory_order_release);
    return 0;
}

static inline int require_footer(struct checked_file *b, struct cooc_err *err)
{
    return atomic_load_explicit(&b->footer_checked, memory_order_acquire)
               ? 0 : check_footer(b, err);
}

/* Compute the sizes of payload and table from the size of the file; return
 * false if no checked file has this size. */
static bool set_sizes(struct checked_file *b)
{
    uint64_t both = b->map_size - CHECKED_FILE_FOOTER; /* payload and table */

    b->blocks = both / (CHECKED_FILE_BLOCK + 8) +
                (both % (CHECKED_FILE_BLOCK + 8) != 0);
    b->payload = both - b->blocks * 8;
    return both >= b->blocks * 8 &&
           b->blocks == b->payload / CHECKED_FILE_BLOCK +
                            (b->payload % CHECKED_FILE_BLOCK != 0);
}

/* Map the file if its size is as expected. */
static int map_file(struct checked_file *b, int fd, struct cooc_err *err)
{
    const char *path = b->path.data;
    struct stat st;
    void *map;

    if (fstat(fd, &st) < 0)
        return err_sys(err, "cannot open", path);
    if (b->has_id && (uint64_t)st.st_size != b->id.size)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: it has %lld bytes, but the manifest says "
                        "%llu; it was truncated or replaced",
                        (long long)st.st_size, (unsigned long long)b->id.size);
    if (st.st_size < CHECKED_FILE_FOOTER)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: it is not a file of a store");
    b->map_size = (size_t)st.st_size;
    if (!set_sizes(b))
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: its sizes do not add up");
    map = mmap(NULL, b->map_size, PROT_READ | (FOREIGN ? PROT_WRITE : 0),
               FOREIGN ? MAP_PRIVATE : MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return err_sys(err, "cannot map", path);
    b->map = map;
    return 0;
}

int checked_file_open(struct checked_file **out, const char *path,
                      const char *kind, const struct checked_file_id *id,
                      struct cooc_err *err)
{
    struct checked_file *b = mem_zarray(1, sizeof *b);
    int fd = -1, rc;

    *out = NULL;
    if (!b)
        return err_nomem(err);
    pthread_mutex_init(&b->swapping, NULL);
    memcpy(b->kind, kind, strnlen(kind, sizeof b->kind));
    b->has_id = id != NULL;
    if (id)
        b->id = *id;
    rc = buf_printf(&b->path, err, "%s", path);
    if (rc == 0)
        rc = file_open_own(&fd, AT_FDCWD, path, err);
    if (rc == COOC_ENOTFOUND && id)
        rc = err_path(err, COOC_EFORMAT, path,
                      "is missing, but the manifest names it");
    if (rc == 0)
        rc = map_file(b, fd, err);
    if (rc == 0) {
        b->seen = mem_zarray(b->blocks, sizeof *b->seen);
        rc = b->seen ? 0 : err_nomem(err);
    }
    if (rc == 0 && !id) /* with an id, the first use verifies it */
        rc = check_footer(b, err);
    if (fd >= 0)
        close(fd);
    if (rc < 0)
        checked_file_close(b);
    else
        *out = b;
    return rc;
}

void checked_file_close(struct checked_file *b)
{
    if (!b)
        return;
    if (b->map)
        munmap(b->map, b->map_size);
    pthread_mutex_destroy(&b->swapping);
    mem_free(b->seen);
    buf_release(&b->path);
    mem_free(b);
}

void checked_file_describe(const struct checked_file *b,
                           struct checked_file_id *id)
{
    id->size = b->map_size;
    id->hash = XXH3_64bits(b->map + b->map_size - CHECKED_FILE_FOOTER,
                           CHECKED_FILE_FOOTER);
}

uint64_t checked_file_size(const struct checked_file *b)
{
    return b->payload;
}

const char *checked_file_path(const struct checked_file *b)
{
    return b->path.data;
}

void checked_file_holds(struct checked_file *b, size_t bytes)
{
    b->swap = FOREIGN ? bytes : 0;
}

bool checked_file_forgets(const struct checked_file *b)
{
    return !b->swap;
}

/* Convert little-endian integers to the byte order of this host, in place. */
static void swap_bytes(uint8_t *p, uint64_t n, size_t bytes)
{
    for (uint64_t i = 0; i + bytes <= n; i += bytes)
        if (bytes == 4)
            *(uint32_t *)(void *)(p + i) = get_le32(p + i);
        else
            *(uint64_t *)(void *)(p + i) = get_le64(p + i);
}

static int verify_block(struct checked_file *b, uint64_t i,
                        struct cooc_err *err)
{
    uint64_t off = i * CHECKED_FILE_BLOCK;
    uint64_t n = b->payload - off < CHECKED_FILE_BLOCK ? b->payload - off
                                                       : CHECKED_FILE_BLOCK;
    uint64_t want = get_le64(b->map + b->payload + i * 8);

    if (XXH3_64bits(b->map + off, n) != want)
        return err_path(err, COOC_EFORMAT, b->path.data,
                        "is damaged between bytes %llu and %llu (checksum "
                        "mismatch)", (unsigned long long)off,
                        (unsigned long long)(off + n));
    if (b->swap)
        swap_bytes(b->map + off, n, b->swap);
    atomic_store_explicit(&b->seen[i], 1, memory_order_release);
    return 0;
}

/* A block may be verified by two threads but must be swapped only once. */
static int swap_block(struct checked_file *b, uint64_t i, struct cooc_err *err)
{
    int rc = 0;

    pthread_mutex_lock(&b->swapping);
    if (!atomic_load_explicit(&b->seen[i], memory_order_relaxed))
        rc = verify_block(b, i, err);
    pthread_mutex_unlock(&b->swapping);
    return rc;
}

int checked_file_get(struct checked_file *b, uint64_t off, uint64_t len,
                     const void **out, struct cooc_err *err)
{
    int footer_checked = require_footer(b, err);

    *out = NULL;
    if (footer_checked < 0)
        return footer_checked;
    if (off > b->payload || len > b->payload - off)
        return err_path(err, COOC_EFORMAT, b->path.data,
                        "is damaged: it refers to byte %llu, which is past "
                        "its end", (unsigned long long)off);
    if (len) {
        uint64_t last = (off + len - 1) / CHECKED_FILE_BLOCK;

        for (uint64_t i = off / CHECKED_FILE_BLOCK; i <= last; i++)
            if (!atomic_load_explicit(&b->seen[i], memory_order_acquire)) {
                int rc = b->swap ? swap_block(b, i, err)
                                 : verify_block(b, i, err);
                if (rc < 0)
                    return rc;
            }
    }
    *out = b->map + off;
    return 0;
}

bool checked_file_seen(const struct checked_file *b, uint64_t off)
{
    return off < b->payload &&
           atomic_load_explicit(&b->seen[off / CHECKED_FILE_BLOCK],
                                memory_order_acquire);
}

void checked_file_forget(struct checked_file *b, uint64_t off)
{
    size_t len = off < b->payload
                     ? (size_t)(off / CHECKED_FILE_BLOCK) * CHECKED_FILE_BLOCK
                     : b->map_size;

    if (len && checked_file_forgets(b))
        madvise(b->map, len, MADV_DONTNEED); /* a hint: may fail */
}

void map_forget(const void *map, uint64_t from, uint64_t to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)map + from, end = (uintptr_t)map + to;

    /* A page fault maps the pages around it, including pages that were given
     * back before, so start earlier; keep a page that is only half done. */
    start &= ~(uintptr_t)(AROUND - 1);
    start = start > (uintptr_t)map ? start : (uintptr_t)map;
    end &= ~(page - 1);
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
}

int checked_file_verify(struct checked_file *b, struct watch *watch,
                        struct cooc_err *err)
{
    int rc = require_footer(b, err);

    for (uint64_t off = 0, n; off < b->payload && rc == 0; off += n) {
        const void *p;

        n = b->payload - off;
        n = n < VERIFY_BYTES ? n : VERIFY_BYTES;
        rc = checked_file_get(b, off, n, &p, err);
        if (rc == 0 && watch)
            rc = watch_add(watch, n, 0, 0, err);
        checked_file_forget(b, off); /* do not keep the whole file in memory */
    }
    return rc;
}
