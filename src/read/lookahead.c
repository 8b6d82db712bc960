/* lookahead.c - join blocks until enough bytes can be examined. */
#include "read/lookahead.h"

#include "base/err.h"
#include "base/mem.h"
#include "read/read.h"

void lookahead_begin(struct lookahead *a, struct pull from)
{
    a->from = from;
    a->pending_len = 0;
    a->ended = false;
    mem_free(a->late);
    a->late = NULL;
}

void lookahead_release(struct lookahead *a)
{
    if (a->from.free)
        a->from.free(a->from.self);
    buf_release(&a->joined);
    mem_free(a->late);
}

/* Copy the pending bytes to the beginning of a->joined. */
static int keep(struct lookahead *a, struct cooc_err *err)
{
    bool inside = a->joined.data && a->pending >= a->joined.data &&
                  a->pending < a->joined.data + a->joined.cap;
    int rc = 0;

    if (inside && a->pending == a->joined.data) {
        a->joined.len = a->pending_len;
        return 0;
    }
    a->joined.len = 0;
    if (inside) {
        memmove(a->joined.data, a->pending, a->pending_len);
        a->joined.len = a->pending_len;
    } else {
        rc = buf_add(&a->joined, a->pending, a->pending_len, err);
    }
    if (rc == 0)
        a->pending = a->joined.data;
    return rc;
}

/* Append the next block of the source to the pending bytes. */
static int join(struct lookahead *a, struct cooc_err *err)
{
    const char *data;
    size_t len;
    int rc = 0;

    if (a->pending_len)
        rc = keep(a, err);
    if (rc == 0)
        rc = a->from.block(a->from.self, &data, &len, err);
    if (rc <= 0) {
        a->ended = rc == 0;
        return rc;
    }
    if (a->pending_len == 0) {
        a->pending = data;
        a->pending_len = len;
        return 0;
    }
    rc = buf_add(&a->joined, data, len, err);
    a->pending = a->joined.data;
    a->pending_len = a->joined.len;
    return rc;
}

/* Join blocks until want bytes are pending, the source has ended, or damage
 * prevents reading further: then a->late is set. */
static int fill(struct lookahead *a, size_t want, struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    int rc = 0;

    while (rc == 0 && a->pending_len < want && !a->ended && !a->late)
        rc = join(a, &why);
    if (rc == 0)
        return 0;
    if (!reader_is_bad(rc))
        return err_copy(err, &why);
    a->late = mem_array(1, sizeof why);
    if (!a->late)
        return err_nomem(err);
    *a->late = why;
    return 0;
}

/* Return the pending bytes: at least need of them, unless the source has
 * ended. */
static int peek(struct lookahead *a, size_t need, const char **data,
                size_t *len, struct cooc_err *err)
{
    if (a->late && a->pending_len < need)
        return err_copy(err, a->late);
    *data = a->pending_len ? a->pending : "";
    *len = a->pending_len;
    return 0;
}

int lookahead_peek(struct lookahead *a, size_t want, const char **data,
                   size_t *len, struct cooc_err *err)
{
    int rc = fill(a, want, err);

    return rc < 0 ? rc : peek(a, want, data, len, err);
}

int lookahead_sample(struct lookahead *a, size_t want, const char **data,
                     size_t *len, struct cooc_err *err)
{
    int rc = fill(a, want, err);

    return rc < 0 ? rc : peek(a, 1, data, len, err);
}

void lookahead_use(struct lookahead *a, size_t n)
{
    a->pending += n;
    a->pending_len -= n;
}

int lookahead_block(void *self, const char **data, size_t *len,
                    struct cooc_err *err)
{
    struct lookahead *a = self;

    if (a->pending_len) {
        *data = a->pending;
        *len = a->pending_len;
        a->pending_len = 0;
        return 1;
    }
    if (a->late)
        return err_copy(err, a->late);
    return a->ended ? 0 : a->from.block(a->from.self, data, len, err);
}

struct pull lookahead_pull(struct lookahead *a)
{
    return (struct pull){ lookahead_block, a, NULL };
}
