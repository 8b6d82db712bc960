/* checked_writer.c - write files with checksums, in order and in the
 * background. */
#include "base/checked_file.h"

#include <errno.h>
#include <string.h>
/* Compiled here with the options of this program, XXH3 is 1.6 times as fast as
 * in the shared library of Debian 12. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/buf.h"
#include "base/checked_footer.h"
#include "base/disk.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/workdir.h"

_Static_assert(DISK_BUFFER % CHECKED_FILE_BLOCK == 0,
               "a buffer is whole blocks");

struct checked_file_writer {
    struct disk_file *file;
    struct buf path, tmp;
    char kind[8];
    size_t fill; /* bytes used in the current disk_buffer() */
    uint64_t payload;
    struct buf table;
    bool committed;
};

static int create_as(struct checked_file_writer **out, const char *path,
                     const char *kind,
                     int (*temporary)(struct buf *out, const char *path,
                                      struct cooc_err *err),
                     struct cooc_err *err)
{
    struct checked_file_writer *w = mem_zarray(1, sizeof *w);
    int rc;

    *out = NULL;
    if (!w)
        return err_nomem(err);
    memcpy(w->kind, kind, strnlen(kind, sizeof w->kind));
    rc = buf_printf(&w->path, err, "%s", path);
    if (rc == 0)
        rc = temporary(&w->tmp, path, err);
    if (rc == 0)
        rc = disk_create(&w->file, w->tmp.data, err);
    if (rc < 0) {
        checked_file_writer_free(w);
        return rc;
    }
    *out = w;
    return 0;
}

int checked_file_create(struct checked_file_writer **out, const char *path,
                        const char *kind, struct cooc_err *err)
{
    return create_as(out, path, kind, path_temporary, err);
}

int checked_file_create_unique(struct checked_file_writer **out,
                               const char *path, const char *kind,
                               struct cooc_err *err)
{
    return create_as(out, path, kind, path_unique, err);
}

/* Append the hashes of the blocks in the buffer to the table. */
static int sum_blocks(struct checked_file_writer *w, struct cooc_err *err)
{
    const uint8_t *block = disk_buffer(w->file);
    int rc = 0;

    for (size_t off = 0; off < w->fill && rc == 0; off += CHECKED_FILE_BLOCK) {
        size_t n = w->fill - off < CHECKED_FILE_BLOCK ? w->fill - off
                                                      : CHECKED_FILE_BLOCK;
        uint8_t sum[8];

        put_le64(sum, XXH3_64bits(block + off, n));
        rc = buf_add(&w->table, sum, sizeof sum, err);
    }
    return rc;
}

/* Append bytes to the file; if they are payload, hash their blocks. */
static int append(struct checked_file_writer *w, const void *data, size_t len,
                  bool payload, struct cooc_err *err)
{
    const uint8_t *p = data;
    int rc = 0;

    while (len > 0 && rc == 0) {
        size_t room = DISK_BUFFER - w->fill, n = len < room ? len : room;

        memcpy(disk_buffer(w->file) + w->fill, p, n);
        w->fill += n;
        p += n;
        len -= n;
        if (w->fill < DISK_BUFFER)
            break;
        rc = payload ? sum_blocks(w, err) : 0;
        if (rc == 0)
            rc = disk_push(w->file, err);
        w->fill = 0;
    }
    return rc;
}

int checked_file_write(struct checked_file_writer *w, const void *data,
                       size_t len, struct cooc_err *err)
{
    w->payload += len;
    return append(w, data, len, true, err);
}

int checked_file_write_u32(struct checked_file_writer *w, const uint32_t *v,
                           size_t n, struct cooc_err *err)
{
    int rc = 0;

    if (!FOREIGN)
        return checked_file_write(w, v, n * sizeof *v, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        uint32_t x = htole32(v[i]);
        rc = checked_file_write(w, &x, sizeof x, err);
    }
    return rc;
}

int checked_file_write_u64(struct checked_file_writer *w, const uint64_t *v,
                           size_t n, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        uint64_t x = htole64(v[i]);
        rc = checked_file_write(w, &x, sizeof x, err);
    }
    return rc;
}

uint64_t checked_file_written(const struct checked_file_writer *w)
{
    return w->payload;
}

/* Write everything and sync it. */
static int complete(struct checked_file_writer *w, struct checked_file_id *id,
                    struct cooc_err *err)
{
    uint8_t footer[CHECKED_FILE_FOOTER];
    int rc = sum_blocks(w, err);

    if (rc < 0)
        return rc;
    checked_footer_make(footer, w->kind, w->payload, w->table.data,
                        w->table.len, id);
    rc = append(w, w->table.data, w->table.len, false, err);
    if (rc == 0)
        rc = append(w, footer, sizeof footer, false, err);
    if (rc == 0)
        rc = disk_finish(w->file, w->fill, err);
    return rc;
}

static int name_file(struct checked_file_writer *w, struct cooc_err *err)
{
    if (workdir_rename(w->tmp.data, w->path.data, 0) < 0)
        return err_sys(err, "cannot rename the temporary file to this name",
                       w->path.data);
    w->committed = true;
    return 0;
}

int checked_file_commit(struct checked_file_writer *w,
                        struct checked_file_id *id, struct cooc_err *err)
{
    int rc = complete(w, id, err);

    return rc < 0 ? rc : name_file(w, err);
}

int checked_file_commit_first(struct checked_file_writer *w,
                              struct cooc_err *err)
{
    struct checked_file_id id;
    int rc = complete(w, &id, err);

    if (rc < 0)
        return rc;
    if (workdir_link(w->tmp.data, w->path.data) == 0 || errno == EEXIST)
        return 0; /* checked_file_writer_free() removes the other name */
    return name_file(w, err);
}

void checked_file_writer_free(struct checked_file_writer *w)
{
    if (!w)
        return;
    if (w->file && !w->committed)
        workdir_unlink(w->tmp.data);
    disk_close(w->file);
    buf_release(&w->path);
    buf_release(&w->tmp);
    buf_release(&w->table);
    mem_free(w);
}
