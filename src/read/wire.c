/* wire.c - a streaming reader of Protocol Buffers.
 *
 * Every read is checked twice: against the bytes left of the message, so that
 * no field ends after its message, and against the current block, which is
 * replaced by the next one where it ends.
 */
#include "read/wire.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "read/input.h"

/* How the value of a field is encoded. */
enum { TYPE_VARINT, TYPE_FIXED64, TYPE_BYTES, TYPE_FIXED32 = 5 };

#define TAG_TYPE(tag) ((tag)&7)
#define TAG_NUMBER(tag) ((tag) >> 3)

void wire_init(struct wire *w, struct input *in)
{
    *w = (struct wire){ .in = in };
}

int wire_wrong(struct wire *w, struct cooc_err *err, const char *fmt, ...)
{
    const char *path = w->in->name;
    char why[320];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    if (!w->what)
        return err_path(err, COOC_EFORMAT, path, "%s", why);
    return err_path(err, COOC_EFORMAT, path, "%s %llu: %s", w->what,
                    (unsigned long long)w->number, why);
}

/* ---- blocks ------------------------------------------------------------- */

int wire_more(struct wire *w, struct cooc_err *err)
{
    const char *data = NULL;
    size_t len = 0;
    int rc;

    if (w->at < w->end)
        return 1;
    rc = text_block(&w->in->text, &data, &len, err);
    if (rc <= 0)
        return rc;
    w->at = (const uint8_t *)data;
    w->end = w->at + len;
    rc = reader_stats_watch(w->in->stats, w->in->watch, err);
    return rc < 0 ? rc : 1;
}

/* Make sure that the next byte is in the block. */
static int need_byte(struct wire *w, struct cooc_err *err)
{
    int rc = wire_more(w, err);

    if (rc == 0)
        return wire_wrong(w, err,
                          "the file ends in the middle of a record; it is "
                          "truncated or not in this format");
    return rc < 0 ? rc : 0;
}

/* Append the next n bytes, which are not more than those left, to a buffer;
 * NULL: skip them. */
static int take(struct wire *w, uint64_t n, struct buf *out,
                struct cooc_err *err)
{
    int rc = 0;

    w->left -= n;
    while (n > 0 && (rc = need_byte(w, err)) == 0) {
        uint64_t room = (uint64_t)(w->end - w->at);
        size_t some = (size_t)(n < room ? n : room);

        rc = out ? buf_add(out, w->at, some, err) : 0;
        if (rc < 0)
            return rc;
        w->at += some;
        n -= some;
    }
    return rc;
}

/* ---- values ------------------------------------------------------------- */

/* A varint of more than one byte, or at the end of a block or a message. */
static int long_varint(struct wire *w, uint64_t *v, struct cooc_err *err)
{
    uint64_t x = 0;

    for (unsigned shift = 0; shift < 7 * VARINT_MAX; shift += 7) {
        uint8_t b;
        int rc = w->left ? need_byte(w, err)
                         : wire_wrong(w, err, "a number is truncated");

        if (rc < 0)
            return rc;
        b = *w->at++;
        w->left--;
        if (shift == 63 && b > 1)
            break;
        x |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) {
            *v = x;
            return 0;
        }
    }
    return wire_wrong(w, err, "a number has more than 64 bits");
}

static inline int varint(struct wire *w, uint64_t *v, struct cooc_err *err)
{
    if (!w->left || w->at == w->end || *w->at >= 0x80)
        return long_varint(w, v, err);
    *v = *w->at++;
    w->left--;
    return 0;
}

/* Skip the rest of the current field or message. */
static int skip(struct wire *w, uint64_t n, struct cooc_err *err)
{
    w->unread = 0;
    return n ? take(w, n, NULL, err) : 0;
}

int wire_message(struct wire *w, struct cooc_err *err)
{
    uint64_t len = 0;
    int rc = skip(w, w->left, err);

    if (rc == 0)
        rc = wire_more(w, err);
    if (rc <= 0)
        return rc;
    w->left = VARINT_MAX;
    rc = varint(w, &len, err);
    w->left = len;
    return rc < 0 ? rc : 1;
}

/* A field that is longer than its message, or of a type that is unknown, so
 * that its length is unknown. */
static int bad_field(struct wire *w, const struct wire_field *f,
                     struct cooc_err *err)
{
    return wire_wrong(w, err,
                      "field %llu is damaged, or this is not a file of "
                      "Protocol Buffers",
                      (unsigned long long)TAG_NUMBER(f->tag));
}

int wire_field(struct wire *w, struct wire_field *f, struct cooc_err *err)
{
    int rc = skip(w, w->unread, err);

    if (rc < 0 || !w->left)
        return rc;
    rc = varint(w, &f->tag, err);
    if (rc < 0)
        return rc;
    if (!TAG_NUMBER(f->tag))
        return bad_field(w, f, err);
    switch (TAG_TYPE(f->tag)) {
    case TYPE_VARINT:
        rc = varint(w, &f->value, err);
        break;
    case TYPE_BYTES:
        rc = varint(w, &f->value, err);
        w->unread = rc < 0 ? 0 : f->value;
        break;
    case TYPE_FIXED64:
        w->unread = f->value = 8;
        break;
    case TYPE_FIXED32:
        w->unread = f->value = 4;
        break;
    default:
        return bad_field(w, f, err);
    }
    if (rc == 0 && w->unread > w->left)
        return bad_field(w, f, err);
    return rc < 0 ? rc : 1;
}

int wire_bytes(struct wire *w, const char *name, size_t max, struct buf *out,
               struct cooc_err *err)
{
    uint64_t n = w->unread;

    if (n > max)
        return wire_wrong(w, err, "its %s has %llu bytes; the limit is %zu",
                          name, (unsigned long long)n, max);
    w->unread = 0;
    return take(w, n, out, err);
}

uint64_t wire_enter(struct wire *w)
{
    uint64_t rest = w->left - w->unread;

    w->left = w->unread;
    w->unread = 0;
    return rest;
}

void wire_leave(struct wire *w, uint64_t rest)
{
    w->left = rest;
}
