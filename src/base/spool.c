/* spool.c - byte streams in a temporary file.
 *
 * Appending a piece reserves its place with one atomic addition to the end of
 * the file, so writers need no lock.  Dropping a stream punches holes into the
 * file, so that merged runs give their disk space back.
 */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

int spool_file_open(struct spool_file *file, const char *dir,
                    struct cooc_err *err)
{
    file->dir = dir;
    file->fixed_dir = false;
    file->room = 0;
    atomic_init(&file->kept, 0);
    atomic_init(&file->end, 0);
    return file_temp(&file->fd, dir, err);
}

void spool_file_close(struct spool_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

int spool_damaged(const struct spool_file *file, struct cooc_err *err)
{
    return err_path(err, COOC_EIO, file->dir,
                    "a temporary file in this directory is damaged; check "
                    "the disk");
}

/* ---- writing ------------------------------------------------------------ */

static int write_at(const struct spool_file *file, const void *data, size_t len,
                    uint64_t off, struct cooc_err *err)
{
    int failed = file_pwrite(file->fd, data, len, off);

    if (!file->fixed_dir &&
        (failed == ENOSPC || failed == EDQUOT || failed == EFBIG))
        return err_add_errno(
            err, err_path_option(err, COOC_EFULL, file->dir, "tmpdir",
                                 "cannot write temporary files: the disk is "
                                 "full"), failed);
    errno = failed;
    return errno ? err_sys(err, "cannot write temporary files", file->dir) : 0;
}

/* Continue the checksum of a piece with data[0..len), which must be whole
 * blocks unless the piece ends there.  So the checksum of a piece does not
 * depend on the size of the windows in which it is read. */
static uint64_t sum_blocks(uint64_t sum, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (size_t n; len > 0; p += n, len -= n) {
        n = len < SPOOL_BLOCK ? len : SPOOL_BLOCK;
        sum = (sum ^ XXH3_64bits(p, n)) * 0x9e3779b97f4a7c15u;
    }
    return sum;
}

/* If len more bytes may stay in memory, count them and return true. */
static bool may_keep(struct spool_file *file, size_t len)
{
    if (atomic_fetch_add(&file->kept, len) + len <= file->room)
        return true;
    atomic_fetch_sub(&file->kept, len);
    return false;
}

int spool_add(struct spool *t, struct spool_file *file, const void *data,
              size_t len, struct cooc_err *err)
{
    struct piece *p;

    if (!len)
        return 0;
    /* Double the array when it is full; most streams have one or two pieces. */
    if ((t->n & (t->n - 1)) == 0) {
        p = mem_resize(t->pieces, t->n ? 2 * t->n : 1, sizeof *p);
        if (!p)
            return err_nomem(err);
        t->pieces = p;
    }
    p = &t->pieces[t->n];
    *p = (struct piece){ .len = len };
    if (may_keep(file, len)) {
        p->memory = mem_array(len, 1);
        if (!p->memory)
            return err_nomem(err);
        memcpy(p->memory, data, len);
    }
    t->n++;
    t->len += len;
    if (p->memory)
        return 0;
    p->off = atomic_fetch_add(&file->end, len);
    p->sum = sum_blocks(0, data, len);
    return write_at(file, data, len, p->off, err);
}

void spool_drop(struct spool *t, struct spool_file *file)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct piece *p = &t->pieces[i];

        if (p->memory)
            atomic_fetch_sub(&file->kept, p->len);
        else if (file->fd >= 0) /* not every file system can punch holes */
            (void)!fallocate(file->fd,
                             FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                             (off_t)p->off, (off_t)p->len);
        mem_free(p->memory);
    }
    mem_free(t->pieces);
    *t = (struct spool){ 0 };
}

int spool_write(struct spool_writer *w, const void *data, size_t len,
                struct cooc_err *err)
{
    struct buf *b = &w->pending;
    const char *p = data;
    int rc = buf_reserve(b, SPOOL_PIECE - b->len, err);

    while (len > 0 && rc == 0) {
        size_t some = SPOOL_PIECE - b->len < len ? SPOOL_PIECE - b->len : len;

        memcpy(b->data + b->len, p, some);
        b->len += some;
        p += some;
        len -= some;
        if (b->len == SPOOL_PIECE) {
            rc = spool_add(w->to, w->file, b->data, SPOOL_PIECE, err);
            b->len = 0;
        }
    }
    return rc;
}

int spool_writer_end(struct spool_writer *w, int rc, struct cooc_err *err)
{
    if (rc == 0)
        rc = spool_add(w->to, w->file, w->pending.data, w->pending.len, err);
    buf_release(&w->pending);
    if (rc < 0)
        spool_drop(w->to, w->file);
    return rc;
}

/* ---- reading ------------------------------------------------------------ */

void spool_reader_init(struct spool_reader *r, const struct spool_file *file,
                       const struct spool *t, void *window, size_t cap)
{
    *r = (struct spool_reader){ .file = file,
                                .stream = t,
                                .left = t->len,
                                .window = window,
                                .cap = cap - cap % SPOOL_BLOCK,
                                .next = window,
                                .end = window };
}

/* Provide the next bytes to deliver; all earlier ones have been delivered. */
static int refill(struct spool_reader *r, struct cooc_err *err)
{
    const struct piece *p = &r->stream->pieces[r->piece];
    size_t n;
    int rc;

    if (r->at == p->len) {
        r->piece++;
        r->at = r->sum = 0;
        p++;
    }
    r->next = r->end = r->window;
    if (p->memory) {
        r->at = p->len;
        r->next = p->memory;
        r->end = p->memory + p->len;
        return 0;
    }
    n = p->len - r->at < r->cap ? (size_t)(p->len - r->at) : r->cap;
    rc = file_pread(r->file->fd, r->window, n, p->off + r->at, r->file->dir,
                    err);
    if (rc < 0)
        return rc;
    r->at += n;
    r->sum = sum_blocks(r->sum, r->window, n);
    if (r->at == p->len && r->sum != p->sum)
        return spool_damaged(r->file, err);
    r->end = r->window + n;
    return 0;
}

/* spool_read() for bytes that are not all in the window. */
int spool_read_on(struct spool_reader *r, void *out, size_t n,
                  struct cooc_err *err)
{
    uint8_t *to = out;

    if (n > r->left)
        return spool_damaged(r->file, err);
    r->left -= n;
    while (n > 0) {
        size_t have = (size_t)(r->end - r->next), some = have < n ? have : n;
        int rc;

        memcpy(to, r->next, some);
        r->next += some;
        to += some;
        n -= some;
        rc = n ? refill(r, err) : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
}

int spool_reader_seek(struct spool_reader *r, uint64_t off,
                      struct cooc_err *err)
{
    const struct spool *t = r->stream;
    uint64_t skip = off;
    int rc = 0;

    r->piece = 0;
    while (skip >= t->pieces[r->piece].len)
        skip -= t->pieces[r->piece++].len;
    r->at = r->sum = 0;
    r->left = t->len - off;
    r->next = r->end = r->window;
    /* Checksums are of whole pieces, so read this one from its beginning. */
    for (size_t n; skip > 0 && rc == 0; skip -= n) {
        if (r->next == r->end)
            rc = refill(r, err);
        n = (size_t)(r->end - r->next);
        n = n < skip ? n : (size_t)skip;
        r->next += n;
    }
    return rc;
}

int spool_load(const struct spool *t, const struct spool_file *file,
               void *out, struct cooc_err *err)
{
    uint8_t *to = out;
    int rc = 0;

    for (size_t i = 0; i < t->n && rc == 0; i++) {
        const struct piece *p = &t->pieces[i];

        if (p->memory)
            memcpy(to, p->memory, p->len);
        else
            rc = file_pread(file->fd, to, p->len, p->off, file->dir, err);
        if (rc == 0 && !p->memory && sum_blocks(0, to, p->len) != p->sum)
            rc = spool_damaged(file, err);
        to += p->len;
    }
    return rc;
}

int spool_varint(struct spool_reader *r, uint64_t *v, struct cooc_err *err)
{
    uint8_t bytes[VARINT_MAX];
    const uint8_t *p = bytes;
    size_t n = 0;

    do {
        int rc = spool_read(r, bytes + n, 1, err);

        if (rc < 0)
            return rc;
    } while (bytes[n++] >= 0x80 && n < sizeof bytes);
    return get_varint(&p, bytes + n, v) ? 0 : spool_damaged(r->file, err);
}
