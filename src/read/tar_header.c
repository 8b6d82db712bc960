/* tar_header.c - parse tar headers: ustar, GNU, pax, and older formats.
 *
 * A header is a block of 512 bytes with fixed fields.  Longer names and larger
 * numbers are in separate entries before it.  GNU's 'L' and 'K' entries are
 * plain names.  Those of POSIX (pax) consist of records:
 *
 *     "27 path=a/very/long/name\n"
 */
#include "read/tar_header.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define SUM_AT 148u
#define SUM_LEN 8u

bool tar_sum_is_right(const char *head)
{
    unsigned long sum = SUM_LEN * ' ';
    long old = SUM_LEN * ' '; /* some programs added up signed bytes */
    uint64_t said;

    for (size_t i = 0; i < TAR_BLOCK; i++)
        if (i < SUM_AT || i >= SUM_AT + SUM_LEN) {
            sum += (unsigned char)head[i];
            old += (signed char)head[i];
        }
    return tar_number(head + SUM_AT, SUM_LEN, &said) &&
           (said == sum || (old >= 0 && said == (unsigned long)old));
}

static bool binary_number(const unsigned char *p, size_t n, uint64_t *out)
{
    uint64_t v = p[0] & 0x3f;

    if (p[0] & 0x40)
        return false;
    for (size_t i = 1; i < n; i++) {
        if (v >> 54)
            return false;
        v = v << 8 | p[i];
    }
    *out = v;
    return true;
}

bool tar_number(const char *p, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;

    if ((unsigned char)p[0] & 0x80)
        return binary_number((const unsigned char *)p, n, out);
    while (i < n && (p[i] == ' ' || p[i] == '\t'))
        i++;
    if (i < n && p[i] == '-')
        return false;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++)
        v = v * 8 + (uint64_t)(p[i] - '0'); /* at most 12 digits */
    *out = v;
    return true;
}

/* Parse decimal digits up to the end or a comma, and move *p there. */
static bool decimal(const char **p, const char *end, uint64_t *out)
{
    const char *s = *p;
    uint64_t v = 0;

    while (s < end && *s >= '0' && *s <= '9') {
        if (v > (INT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (uint64_t)(*s++ - '0');
    }
    if (s == *p || (s < end && *s != ','))
        return false;
    *p = s;
    *out = v;
    return true;
}

int tar_add_part(struct tar_extra *x, uint64_t at, uint64_t len,
                 struct cooc_err *err)
{
    int rc = array_grow(&x->parts, &x->parts_cap, x->n_parts + 1,
                        sizeof *x->parts, err);

    if (rc == 0)
        x->parts[x->n_parts++] = (struct tar_part){ at, len };
    return rc;
}

/* Parse a map of sparse 0.1: "offset,length,offset,length,...". */
static int parse_map(struct tar_extra *x, const char *p, const char *end,
                     bool *right, struct cooc_err *err)
{
    int rc = 0;

    while (*right && rc == 0 && p < end) {
        uint64_t at, len;

        *right = decimal(&p, end, &at) && p < end && p++ &&
                 decimal(&p, end, &len);
        if (*right)
            rc = tar_add_part(x, at, len, err);
        if (*right && p < end)
            p++;
    }
    return rc;
}

static int set_name(struct buf *b, bool *has, const char *p, const char *end,
                    struct cooc_err *err)
{
    int rc;

    b->len = 0;
    *has = p < end;
    rc = buf_add(b, p, (size_t)(end - p), err);
    return rc < 0 ? rc : buf_text(b, err);
}

static bool is_key(const char *key, size_t n, const char *want)
{
    return strlen(want) == n && memcmp(key, want, n) == 0;
}

/* Store the value of one record; *right is set to false if the value is
 * invalid. */
static int set_value(struct tar_extra *x, const char *key, size_t n,
                     const char *p, const char *end, bool *right,
                     struct cooc_err *err)
{
    uint64_t v = 0;

    if (is_key(key, n, "path"))
        return x->sparse && x->has_path
                   ? 0 /* GNU.sparse.name takes precedence */
                   : set_name(&x->path, &x->has_path, p, end, err);
    if (is_key(key, n, "linkpath"))
        return set_name(&x->link, &x->has_link, p, end, err);
    if (is_key(key, n, "size")) {
        *right = decimal(&p, end, &x->size) && p == end;
        x->has_size = true;
        return 0;
    }
    if (n < 11 || memcmp(key, "GNU.sparse.", 11) != 0)
        return 0;
    x->sparse = true;
    key += 11;
    n -= 11;
    if (is_key(key, n, "name"))
        return set_name(&x->path, &x->has_path, p, end, err);
    if (is_key(key, n, "map"))
        return parse_map(x, p, end, right, err);
    if (is_key(key, n, "major"))
        x->map_in_data = *p == '1';
    else if (is_key(key, n, "offset"))
        *right = decimal(&p, end, &x->offset);
    else if (is_key(key, n, "numbytes")) {
        *right = decimal(&p, end, &v);
        return *right ? tar_add_part(x, x->offset, v, err) : 0;
    }
    return 0;
}

int tar_pax(struct tar_extra *x, const char *name, const char *p, size_t n,
            struct cooc_err *err)
{
    const char *end = p + n;
    bool right = true;
    int rc = 0;

    x->pax = true;
    while (p < end && rc == 0 && right) {
        const char *key = p, *equals;
        size_t len = 0;

        while (key < end && *key >= '0' && *key <= '9' && len <= n)
            len = len * 10 + (size_t)(*key++ - '0');
        right = key > p && key < end && *key == ' ' &&
                len > (size_t)(key + 1 - p) && len <= (size_t)(end - p) &&
                p[len - 1] == '\n';
        if (!right)
            break;
        key++;
        equals = memchr(key, '=', (size_t)(p + len - 1 - key));
        right = equals != NULL;
        if (right)
            rc = set_value(x, key, (size_t)(equals - key), equals + 1,
                           p + len - 1, &right, err);
        p += len;
    }
    return rc < 0 || right
               ? rc
               : err_path(err, COOC_EFORMAT, name,
                          "an extended header of the tar archive is damaged");
}

void tar_extra_clear(struct tar_extra *x)
{
    struct tar_extra kept = { .path = x->path, .link = x->link,
                              .parts = x->parts, .parts_cap = x->parts_cap };

    *x = kept;
}

void tar_extra_release(struct tar_extra *x)
{
    buf_release(&x->path);
    buf_release(&x->link);
    mem_free(x->parts);
}
