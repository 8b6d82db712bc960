/* tar.c - read tar archives: a header, the bytes, a header, the bytes, ...
 *
 * Blocks of zeros mark the end of an archive; several archives in a row are
 * read as one.  Nothing may be lost silently: every header must have the right
 * checksum, and an archive that ends inside an entry is an error.  Some
 * programs do not mark the end, so the lack of a mark is only reported.
 *
 * libarchive is not used because it exits if it cannot allocate memory for a
 * name (docs/DECISIONS.md).
 */
#include "base/err.h"
#include "base/mem.h"
#include "read/container.h"
#include "read/magic.h"
#include "read/tar_header.h"

#define NAME_LEN 100u
#define PREFIX_AT 345u
#define PREFIX_LEN 155u
#define BODY_MAX ((uint64_t)1 << 20) /* maximum size of an extended header */

struct tar {
    const char *name;
    struct lookahead *from;
    bool begun;
    bool end_mark; /* zeros were found after the last entry */
    char head[TAR_BLOCK];
    struct tar_extra extra;
    struct buf path, link, body;

    uint64_t left;    /* bytes of the entry left in the archive */
    uint64_t padding; /* bytes of padding after the entry */
    bool sparse;
    size_t part;      /* index of the current part in extra.parts */
    uint64_t used;    /* bytes of the current part returned so far */
    uint64_t pos;     /* position in the extracted file */
};

static const char zeros[4096];

static int truncated(const struct tar *t, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, t->name,
                    "the tar archive is truncated");
}

static int damaged(const struct tar *t, struct cooc_err *err)
{
    if (!t->begun)
        return err_path(err, COOC_EFORMAT, t->name,
                        "begins like a tar archive, but its first header is "
                        "damaged");
    return err_path(err, COOC_EFORMAT, t->name,
                    "a header of the tar archive is damaged");
}

/* ---- blocks ------------------------------------------------------------- */

static int skip(struct tar *t, uint64_t n, struct cooc_err *err)
{
    while (n) {
        const char *p;
        size_t len;
        int rc = lookahead_peek(t->from, 1, &p, &len, err);

        if (rc < 0)
            return rc;
        if (len == 0)
            return truncated(t, err);
        len = len < n ? len : (size_t)n;
        lookahead_use(t->from, len);
        n -= len;
    }
    return 0;
}

/* Read the next header that is not all zeros.  Returns 1, or 0 if there are no
 * more headers, or < 0 on failure. */
static int next_header(struct tar *t, struct cooc_err *err)
{
    const char *p;
    size_t len;
    int rc;

    t->end_mark = false;
    for (;;) {
        rc = lookahead_peek(t->from, TAR_BLOCK, &p, &len, err);
        if (rc < 0)
            return rc;
        if (len < TAR_BLOCK)
            return len ? truncated(t, err) : 0;
        memcpy(t->head, p, TAR_BLOCK);
        lookahead_use(t->from, TAR_BLOCK);
        if (!all_zero(t->head, TAR_BLOCK))
            break;
        t->end_mark = true;
    }
    return tar_sum_is_right(t->head) ? 1 : damaged(t, err);
}

static uint64_t padding_of(uint64_t size)
{
    return (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK;
}

static int size_of(struct tar *t, uint64_t *size, struct cooc_err *err)
{
    if (!tar_number(t->head + 124, 12, size) || *size > INT64_MAX / 2)
        return damaged(t, err);
    return 0;
}

/* Read the body of the header's entry into t->body. */
static int read_body(struct tar *t, struct cooc_err *err)
{
    uint64_t size;
    int rc = size_of(t, &size, err);

    t->body.len = 0;
    if (rc == 0 && size > BODY_MAX)
        return damaged(t, err);
    while (rc == 0 && t->body.len < size) {
        const char *p;
        size_t len, want = (size_t)size - t->body.len;

        rc = lookahead_peek(t->from, 1, &p, &len, err);
        if (rc == 0 && len == 0)
            return truncated(t, err);
        len = len < want ? len : want;
        if (rc == 0)
            rc = buf_add(&t->body, p, len, err);
        if (rc == 0)
            lookahead_use(t->from, len);
    }
    return rc < 0 ? rc : skip(t, padding_of(size), err);
}

/* ---- headers ------------------------------------------------------------ */

static int set_text(struct buf *b, const char *p, size_t max,
                    struct cooc_err *err)
{
    int rc;

    rc = buf_set(b, p, strnlen(p, max), err);
    return rc < 0 ? rc : buf_text(b, err);
}

/* Read the body if the header is an extended header.  Returns 1 if it is, 0 if
 * it is not, < 0 on failure. */
static int read_extension(struct tar *t, struct cooc_err *err)
{
    struct tar_extra *x = &t->extra;
    char type = t->head[156];
    int rc;

    if (!type || !strchr("LKxXgAV", type))
        return 0;
    rc = read_body(t, err);
    if (rc == 0 && (type == 'x' || type == 'X'))
        rc = tar_pax(x, t->name, t->body.data ? t->body.data : "",
                     t->body.len, err);
    if (rc == 0 && type == 'L') {
        rc = set_text(&x->path, t->body.data ? t->body.data : "",
                      t->body.len, err);
        x->has_path = true;
    }
    if (rc == 0 && type == 'K') {
        rc = set_text(&x->link, t->body.data ? t->body.data : "",
                      t->body.len, err);
        x->has_link = true;
    }
    return rc < 0 ? rc : 1;
}

static bool is_ustar(const struct tar *t)
{
    return memcmp(t->head + 257, "ustar\0", 6) == 0;
}

/* Append the prefix of a ustar header and a slash to t->path. */
static int add_prefix(struct tar *t, struct cooc_err *err)
{
    const char *prefix = t->head + PREFIX_AT;
    size_t n = strnlen(prefix, PREFIX_LEN);
    int rc;

    if (!is_ustar(t) || n == 0)
        return 0;
    rc = buf_add(&t->path, prefix, n, err);
    return rc == 0 && prefix[n - 1] != '/' ? buf_byte(&t->path, '/', err)
                                           : rc;
}

static int set_path(struct tar *t, struct cooc_err *err)
{
    const struct tar_extra *x = &t->extra;
    int rc = 0;

    t->path.len = 0;
    if (x->has_path)
        rc = buf_add(&t->path, x->path.data, x->path.len, err);
    else if ((rc = add_prefix(t, err)) == 0)
        rc = buf_add(&t->path, t->head, strnlen(t->head, NAME_LEN), err);
    if (rc == 0 && t->path.len == 0)
        rc = buf_add(&t->path, "unnamed", 7, err);
    return rc < 0 ? rc : buf_text(&t->path, err);
}

/* Set t->left to 0 if no contents follow the header of a hard link; the size in
 * the header may be 0 or that of the linked file.  In pax archives, contents
 * follow.  After other ustar headers, contents follow unless the next block is
 * a header or zeros.  In other formats, none follow. */
static int check_link(struct tar *t, struct cooc_err *err)
{
    const char *p;
    size_t len;
    int rc;

    if (t->left == 0 || t->extra.pax)
        return 0;
    if (is_ustar(t)) {
        rc = lookahead_peek(t->from, TAR_BLOCK, &p, &len, err);
        if (rc < 0)
            return rc;
        if (len >= TAR_BLOCK && !tar_sum_is_right(p) &&
            !all_zero(p, TAR_BLOCK))
            return 0;
    }
    t->left = 0;
    return 0;
}

static int set_link(struct tar *t, struct unpacked *out, struct cooc_err *err)
{
    int rc = check_link(t, err);

    if (rc == 0)
        rc = t->extra.has_link
                 ? set_text(&t->link, t->extra.link.data, t->extra.link.len,
                            err)
                 : set_text(&t->link, t->head + 157, NAME_LEN, err);
    out->link = t->left ? NULL : t->link.data;
    return rc;
}

/* ---- sparse files ------------------------------------------------------- */

/* Read the sparse map of the old GNU format: four parts in the header, and 21
 * in each extension block after the header. */
static int read_old_map(struct tar *t, struct cooc_err *err)
{
    const char *p = t->head + 386;
    bool more = t->head[482] != 0;
    size_t n = 4, len;
    int rc = 0;

    for (;;) {
        for (size_t i = 0; i < n && p[24 * i] && rc == 0; i++) {
            uint64_t at, many;

            if (!tar_number(p + 24 * i, 12, &at) ||
                !tar_number(p + 24 * i + 12, 12, &many))
                return damaged(t, err);
            rc = tar_add_part(&t->extra, at, many, err);
        }
        if (rc < 0 || !more)
            return rc;
        rc = lookahead_peek(t->from, TAR_BLOCK, &p, &len, err);
        if (rc < 0)
            return rc;
        if (len < TAR_BLOCK)
            return truncated(t, err);
        n = 21;
        more = p[504] != 0;
        lookahead_use(t->from, TAR_BLOCK);
    }
}

/* Read one line, a decimal number, of a sparse map stored before the data. */
static int map_number(struct tar *t, uint64_t *out, struct cooc_err *err)
{
    uint64_t v = 0;
    unsigned digits = 0;

    for (;;) {
        const char *p;
        size_t len;
        int rc = lookahead_peek(t->from, 1, &p, &len, err);

        if (rc < 0)
            return rc;
        if (len == 0 || t->left == 0)
            return truncated(t, err);
        lookahead_use(t->from, 1);
        t->left--;
        if (*p == '\n' && digits)
            break;
        if (*p < '0' || *p > '9' || ++digits > 18)
            return damaged(t, err);
        v = v * 10 + (uint64_t)(*p - '0');
    }
    *out = v;
    return 0;
}

static int read_map(struct tar *t, struct cooc_err *err)
{
    uint64_t n = 0, begin = t->left, rest;
    int rc = map_number(t, &n, err);

    for (; n && rc == 0; n--) {
        uint64_t at = 0, len = 0;

        rc = map_number(t, &at, err);
        if (rc == 0)
            rc = map_number(t, &len, err);
        if (rc == 0)
            rc = tar_add_part(&t->extra, at, len, err);
    }
    if (rc < 0)
        return rc;
    rest = padding_of(begin - t->left);
    if (rest > t->left)
        return damaged(t, err);
    t->left -= rest;
    return skip(t, rest, err);
}

/* Check that the parts are in order and that the archive has all their
 * bytes. */
static int check_parts(struct tar *t, struct cooc_err *err)
{
    uint64_t end = 0, sum = 0;

    for (size_t i = 0; i < t->extra.n_parts; i++) {
        const struct tar_part *p = &t->extra.parts[i];

        if (p->at < end || p->len > t->left - sum ||
            p->at > INT64_MAX - p->len)
            return damaged(t, err);
        end = p->at + p->len;
        sum += p->len;
    }
    return 0;
}

static int read_sparse(struct tar *t, char type, struct cooc_err *err)
{
    int rc = 0;

    t->sparse = type == 'S' || t->extra.sparse;
    t->part = 0;
    t->used = t->pos = 0;
    if (type == 'S')
        rc = read_old_map(t, err);
    else if (t->sparse && t->extra.map_in_data)
        rc = read_map(t, err);
    return rc == 0 && t->sparse ? check_parts(t, err) : rc;
}

/* ---- entries ------------------------------------------------------------ */

static int describe(struct tar *t, struct unpacked *out, struct cooc_err *err)
{
    char type = t->head[156];
    int rc = set_path(t, err);

    if (rc == 0)
        rc = size_of(t, &t->left, err);
    if (rc < 0)
        return rc;
    if (t->extra.has_size)
        t->left = t->extra.size;
    if (type >= '2' && type <= '6')
        t->left = 0;
    if (type == '1')
        rc = set_link(t, out, err);
    t->padding = padding_of(t->left);
    if (rc == 0)
        rc = read_sparse(t, type, err);
    *out = (struct unpacked){
        .path = t->path.data,
        .link = out->link,
        .regular = !(type >= '2' && type <= '6') && type != 'D' &&
                   type != 'M' && t->path.data[t->path.len - 1] != '/',
    };
    return rc;
}

static int tar_entry(void *self, struct unpacked *out, struct cooc_err *err)
{
    struct tar *t = self;
    int rc = skip(t, t->left, err);

    if (rc == 0)
        rc = skip(t, t->padding, err);
    t->left = t->padding = 0;
    tar_extra_clear(&t->extra);
    if (rc < 0)
        return rc;
    do {
        rc = next_header(t, err);
        if (rc > 0)
            rc = read_extension(t, err);
        else if (rc == 0) {
            out->no_end = !t->end_mark;
            return 0;
        }
        t->begun = true;
    } while (rc > 0);
    if (rc == 0)
        rc = describe(t, out, err);
    return rc < 0 ? rc : 1;
}

/* If t->pos is in a hole of a sparse file, set *data to zeros, at most up to
 * the next part that has bytes, and return true; otherwise return false. */
static bool hole(struct tar *t, const char **data, size_t *len)
{
    const struct tar_part *p = t->extra.parts + t->part;
    uint64_t n;

    while (t->part < t->extra.n_parts && t->used == p->len) {
        p++;
        t->part++;
        t->used = 0;
    }
    if (t->part == t->extra.n_parts || p->at <= t->pos)
        return false;
    n = p->at - t->pos;
    *data = zeros;
    *len = n < sizeof zeros ? (size_t)n : sizeof zeros;
    t->pos += *len;
    return true;
}

static int tar_block(void *self, const char **data, size_t *len,
                     struct cooc_err *err)
{
    struct tar *t = self;
    uint64_t left = t->left;
    int rc;

    if (t->sparse && hole(t, data, len))
        return 1;
    if (t->sparse)
        left = t->part < t->extra.n_parts
                   ? t->extra.parts[t->part].len - t->used
                   : 0;
    if (left == 0)
        return 0;
    rc = lookahead_peek(t->from, 1, data, len, err);
    if (rc < 0)
        return rc;
    if (*len == 0)
        return truncated(t, err);
    *len = *len < left ? *len : (size_t)left;
    lookahead_use(t->from, *len);
    t->left -= *len;
    t->used += *len;
    t->pos += *len;
    return 1;
}

static void tar_free(void *self)
{
    struct tar *t = self;

    tar_extra_release(&t->extra);
    buf_release(&t->path);
    buf_release(&t->link);
    buf_release(&t->body);
    mem_free(t);
}

int tar_new(struct container *out, const char *name, struct lookahead *from,
            struct cooc_err *err)
{
    struct tar *t = mem_zarray(1, sizeof *t);

    if (!t)
        return err_nomem(err);
    t->name = name;
    t->from = from;
    *out = (struct container){ tar_entry, tar_block, t, tar_free };
    return 0;
}
