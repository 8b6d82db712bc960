/* buf.h - growing byte strings and growing arrays.
 *
 *     struct buf b = { 0 };
 *
 *     rc = buf_printf(&b, err, "%s/%s", dir, name);
 *     ...
 *     buf_release(&b);
 *
 * An all-zero struct buf is empty and valid.  data[0..len) are its bytes; they
 * are not NUL-terminated unless buf_printf() or buf_text() was called last.
 *
 * Cost       Capacity grows by half, so appending takes amortised constant
 *            time per byte.
 * Errors     COOC_ENOMEM; the contents stay unchanged.
 */
#ifndef COOC_BUF_H
#define COOC_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cooc_err;

struct buf {
    char *data;
    size_t len, cap;
};

/* Make room for extra bytes after data[len - 1]. */
int buf_reserve(struct buf *b, size_t extra, struct cooc_err *err);
int buf_add(struct buf *b, const void *data, size_t len,
            struct cooc_err *err);
/* Replace the contents. */
int buf_set(struct buf *b, const void *data, size_t len,
            struct cooc_err *err);
int buf_printf(struct buf *b, struct cooc_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Append a NUL that is not included in len. */
int buf_text(struct buf *b, struct cooc_err *err);
void buf_release(struct buf *b);

static inline int buf_byte(struct buf *b, char c, struct cooc_err *err)
{
    if (b->len == b->cap) {
        int rc = buf_reserve(b, 1, err);
        if (rc < 0)
            return rc;
    }
    b->data[b->len++] = c;
    return 0;
}

/* Grow the array *items, which has room for *cap items of size bytes each, so
 * that it has room for at least need items. */
int array_grow(void *items, size_t *cap, size_t need, size_t size,
               struct cooc_err *err);

#endif
