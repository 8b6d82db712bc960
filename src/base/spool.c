/* spool.c - streams in a temporary file. */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

int spool_file_open(struct spool_file *s, const char *dir, struct cooc_err *err)
{
    s->dir = dir;
    atomic_init(&s->end, 0);
    return file_temp(&s->fd, dir, err);
}

void spool_file_close(struct spool_file *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

static int write_at(const struct spool_file *s, const char *p, size_t len,
                    uint64_t off, struct cooc_err *err)
{
    while (len > 0) {
        ssize_t n = pwrite(s->fd, p, len, (off_t)off);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
            return err_set(err, COOC_EFULL,
                           "%s: no room for temporary files; free some or "
                           "name another directory with --tmpdir",
                           s->dir);
        if (n <= 0) {
            errno = n < 0 ? errno : EIO;
            return err_sys(err, "cannot write temporary files", s->dir);
        }
        p += n;
        off += (uint64_t)n;
        len -= (size_t)n;
    }
    return 0;
}

/* The checksum of a piece, of which data[0..len) follow: whole blocks of it,
 * unless it ends there.  So it can be made of parts. */
static uint64_t sum_blocks(uint64_t sum, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (size_t n; len > 0; p += n, len -= n) {
        n = len < SPOOL_BLOCK ? len : SPOOL_BLOCK;
        sum = (sum ^ XXH3_64bits(p, n)) * 0x9e3779b97f4a7c15u;
    }
    return sum;
}

int spool_add(struct spool *t, struct spool_file *s, const void *data,
              size_t len, struct cooc_err *err)
{
    uint64_t off = atomic_fetch_add(&s->end, len);

    if (!len)
        return 0;
    if ((t->n & (t->n - 1)) == 0) { /* most streams have a piece or two */
        void *p = mem_resize(t->pieces, t->n ? 2 * t->n : 1, sizeof *t->pieces);

        if (!p)
            return err_nomem(err);
        t->pieces = p;
    }
    t->pieces[t->n++] = (struct piece){ .off = off,
                                        .len = len,
                                        .sum = sum_blocks(0, data, len) };
    t->len += len;
    return write_at(s, data, len, off, err);
}

void spool_drop(struct spool *t, struct spool_file *s)
{
    for (size_t i = 0; i < t->n && s->fd >= 0; i++) /* may not be possible */
        (void)!fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                         (off_t)t->pieces[i].off, (off_t)t->pieces[i].len);
    mem_free(t->pieces);
    *t = (struct spool){ 0 };
}

void spool_reader_init(struct spool_reader *r, const struct spool_file *s,
                       const struct spool *t, void *window, size_t cap)
{
    *r = (struct spool_reader){ .spool = s,
                                .stream = t,
                                .left = t->len,
                                .window = window,
                                .cap = cap - cap % SPOOL_BLOCK };
}

static int damaged(const struct spool_reader *r, struct cooc_err *err)
{
    return err_set(err, COOC_EIO,
                   "%s: a temporary file is damaged: check "
                   "the disk",
                   r->spool->dir);
}

/* More bytes into the window, which is used up. */
static int refill(struct spool_reader *r, struct cooc_err *err)
{
    const struct piece *p = &r->stream->pieces[r->piece];
    uint64_t n;
    int rc;

    if (r->at == p->len) {
        r->piece++;
        r->at = r->sum = 0;
        p++;
    }
    n = p->len - r->at < r->cap ? p->len - r->at : r->cap;
    rc = file_pread(r->spool->fd, r->window, (size_t)n, p->off + r->at,
                    r->spool->dir, err);
    r->pos = r->have = 0;
    if (rc < 0)
        return rc;
    r->at += n;
    r->sum = sum_blocks(r->sum, r->window, (size_t)n);
    if (r->at == p->len && r->sum != p->sum)
        return damaged(r, err);
    r->have = (size_t)n;
    return 0;
}

int spool_read(struct spool_reader *r, void *out, size_t n,
               struct cooc_err *err)
{
    uint8_t *to = out;

    if (n > r->left)
        return damaged(r, err);
    r->left -= n;
    while (n > 0) {
        size_t some = r->have - r->pos < n ? r->have - r->pos : n;
        int rc;

        memcpy(to, r->window + r->pos, some);
        r->pos += some;
        to += some;
        n -= some;
        rc = n ? refill(r, err) : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
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
    return get_varint(&p, bytes + n, v) ? 0 : damaged(r, err);
}
