/* run.c - sorted dictionaries, written out and read back. */
#include "index/run.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "dict/dict.h"
#include "index/gather.h"

#define RECORD 12 /* bytes before the term's own */
#define WRITE_AT ((size_t)1 << 18)

int run_write(const struct dict *d, const uint32_t *df, int fd,
              const char *path, uint64_t *bytes, struct cooc_err *err)
{
    struct buf out = { 0 };
    uint32_t *order = NULL, n = dict_size(d);
    int rc = dict_sorted(d, &order, err);

    *bytes = 0;
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        size_t len;
        const char *term = dict_term(d, order[i], &len);
        uint32_t head[3] = { order[i], df[order[i]], (uint32_t)len };

        rc = buf_add(&out, head, sizeof head, err);
        if (rc == 0)
            rc = buf_add(&out, term, len, err);
        if (rc == 0 && (out.len >= WRITE_AT || i + 1 == n)) {
            rc = file_write(fd, out.data, out.len, path, err);
            *bytes += out.len;
            out.len = 0;
        }
    }
    mem_free(order);
    buf_release(&out);
    return rc;
}

int run_cursor_init(struct run_cursor *c, const struct run *run,
                    const char *path, size_t window, struct cooc_err *err)
{
    *c = (struct run_cursor){ .run = run, .path = path, .left = run->len };
    if (run->dict)
        return dict_sorted(run->dict, &c->order, err);
    return buf_reserve(&c->window, window, err);
}

/* Have at least need bytes from at on in the window. */
static int fill(struct run_cursor *c, size_t need, struct cooc_err *err)
{
    size_t have = c->window.len - c->at, more;
    int rc;

    if (have >= need)
        return 0;
    if (need - have > c->left) /* before there is room for what is not there */
        return err_set(err, COOC_EIO, "%s: a temporary file is cut short",
                       c->path);
    if (have)
        memmove(c->window.data, c->window.data + c->at, have);
    c->at = 0;
    c->window.len = have;
    if (need > c->window.cap) {
        rc = buf_reserve(&c->window, need - have, err);
        if (rc < 0)
            return rc;
    }
    more = c->window.cap - have;
    if (more > c->left)
        more = (size_t)c->left;
    rc = file_pread(c->run->fd, c->window.data + have, more,
                    c->run->off + c->run->len - c->left, c->path, err);
    c->window.len += more;
    c->left -= more;
    return rc;
}

int run_cursor_next(struct run_cursor *c, struct cooc_err *err)
{
    uint32_t head[3];
    int rc;

    if (c->next >= c->run->n)
        return 0;
    if (c->run->dict) {
        c->id = c->order[c->next++];
        c->df = c->run->df[c->id];
        c->term = dict_term(c->run->dict, c->id, &c->len);
        return 1;
    }
    rc = fill(c, RECORD, err);
    if (rc < 0)
        return rc;
    memcpy(head, c->window.data + c->at, RECORD);
    rc = fill(c, RECORD + (size_t)head[2], err);
    if (rc < 0)
        return rc;
    c->id = head[0];
    c->df = head[1];
    c->len = head[2];
    c->term = c->window.data + c->at + RECORD;
    c->at += RECORD + c->len;
    c->next++;
    return 1;
}

void run_cursor_release(struct run_cursor *c)
{
    mem_free(c->order);
    buf_release(&c->window);
}
