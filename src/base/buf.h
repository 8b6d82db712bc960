/* buf.h - a growing string of bytes, and growing arrays.
 *
 * An all-zero struct buf is empty and valid.  data is not NUL-terminated
 * unless buf_text() was called last.
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

/* Room for extra more bytes behind len. */
int buf_reserve(struct buf *b, size_t extra, struct cooc_err *err);
int buf_add(struct buf *b, const void *data, size_t len,
            struct cooc_err *err);
/* Replace what it holds. */
int buf_set(struct buf *b, const void *data, size_t len,
            struct cooc_err *err);
int buf_printf(struct buf *b, struct cooc_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Terminate with a NUL that len does not count. */
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

/* Grow the array *items (of size-byte items, capacity *cap) to hold need. */
int array_grow(void *items, size_t *cap, size_t need, size_t size,
               struct cooc_err *err);

#endif
