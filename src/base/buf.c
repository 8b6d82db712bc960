/* buf.c - growing byte strings and arrays. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"

int array_grow(void *items, size_t *cap, size_t need, size_t size,
               struct cooc_err *err)
{
    void *old, *p;
    size_t n = *cap;

    if (need <= n)
        return 0;
    n = n < 16 ? 16 : n + n / 2;
    if (n < need)
        n = need;
    memcpy(&old, items, sizeof old);
    p = mem_resize(old, n, size);
    if (!p)
        return err_nomem(err);
    memcpy(items, &p, sizeof p);
    *cap = n;
    return 0;
}

int buf_reserve(struct buf *b, size_t extra, struct cooc_err *err)
{
    if (extra > SIZE_MAX - b->len)
        return err_nomem(err);
    return array_grow(&b->data, &b->cap, b->len + extra, 1, err);
}

int buf_add(struct buf *b, const void *data, size_t len, struct cooc_err *err)
{
    int rc;

    if (len == 0)
        return 0;
    rc = buf_reserve(b, len, err);
    if (rc < 0)
        return rc;
    memcpy(b->data + b->len, data, len);
    b->len += len;
    return 0;
}

int buf_set(struct buf *b, const void *data, size_t len, struct cooc_err *err)
{
    b->len = 0;
    return buf_add(b, data, len, err);
}

int buf_printf(struct buf *b, struct cooc_err *err, const char *fmt, ...)
{
    va_list ap;
    int n, rc;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        return err_set(err, COOC_EINVAL, "cannot format a text");
    rc = buf_reserve(b, (size_t)n + 1, err);
    if (rc < 0)
        return rc;
    va_start(ap, fmt);
    vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
    return 0;
}

int buf_text(struct buf *b, struct cooc_err *err)
{
    int rc = buf_reserve(b, 1, err);

    if (rc == 0)
        b->data[b->len] = '\0';
    return rc;
}

void buf_release(struct buf *b)
{
    if (!b)
        return;
    mem_free(b->data);
    *b = (struct buf){ 0 };
}
