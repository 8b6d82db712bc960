/* row_decode.c - decode a row, 64 pairs at a time.
 *
 * The inverse of row_encode.c: columns are listed from the bitmap and the gaps;
 * the bits of the counts are spread to planes with one bit per pair, from which
 * the entries are assembled.  Bytes are checked before they are used, so that
 * no input can cause an access out of bounds.
 */
#include <string.h>

#include "base/err.h"
#include "kernel/kernel.h"
#include "rows/row_code.h"

struct decoder {
    struct row_scratch *s;
    const uint8_t *p, *end; /* readable slack after end */
    uint32_t t;             /* all columns must be below t */
    struct row_head head;
    size_t n; /* number of columns found so far */
};

static size_t left(const struct decoder *d)
{
    return (size_t)(d->end - d->p);
}

static bool padded(const uint8_t *p, size_t n)
{
    return n % 8 == 0 || p[n / 8] >> n % 8 == 0;
}

/* List the columns of the bitmap.  False if the pairs in the bitmap show that
 * it should have ended earlier, or a column is out of range. */
static bool take_bitmap(struct decoder *d, uint64_t *map,
                        struct bitmap_end *end)
{
    size_t words = (size_t)d->head.blocks * BLOCK_WORDS;

    for (size_t w = 0; w < words; w++)
        map[w] = get_le64(d->p + w * 8);
    d->p += words * 8;
    for (uint32_t b = 0; b < d->head.blocks; b++) {
        size_t n = d->s->k->ones(map + b * BLOCK_WORDS, BLOCK_WORDS);

        d->n += n;
        bitmap_end_add(end, b, (int64_t)n);
    }
    if (end->blocks != d->head.blocks || d->n > d->head.pairs)
        return false;
    d->s->k->columns(d->s->columns, map, NULL, NULL, words);
    return !d->n || d->s->columns[d->n - 1] < d->t;
}

/* Convert codes to columns.  False unless all columns are below t and exactly
 * head.far codes are steps of 65535. */
static bool add_gaps(struct decoder *d, size_t n)
{
    const uint16_t *code = d->s->codes;
    uint64_t next = d->head.blocks * BLOCK, far = 0;
    uint32_t *out = d->s->columns + d->n;

    if (!d->head.far) {
        for (size_t i = 0; i < n; i++) {
            next += code[i];
            out[i] = (uint32_t)next++;
            far |= code[i] == GAP_FAR;
        }
        return next <= d->t && !far;
    }
    for (size_t i = 0; i < n; i++) {
        next += code[i];
        if (code[i] == GAP_FAR)
            far++;
        else if (i - far >= d->head.pairs - d->n)
            return false;
        else
            *out++ = (uint32_t)next++;
    }
    return next <= d->t && far == d->head.far && code[n - 1] != GAP_FAR;
}

static bool take_gaps(struct decoder *d)
{
    size_t n = (size_t)(d->head.pairs - d->n + d->head.far);
    size_t bytes = (n + 7) / 8;
    const uint8_t *which = d->p;
    size_t two = 0;

    if (bytes + n > left(d) || !padded(which, n))
        return false;
    for (size_t i = 0; i < bytes; i++)
        two += (size_t)__builtin_popcount(which[i]);
    if (bytes + n + two > left(d))
        return false;
    if (!n)
        return true;
    if (!d->s->k->unpack(d->s->codes, which, which + bytes, n))
        return false;
    d->p += bytes + n + two;
    return add_gaps(d, n);
}

/* Whether the bitmap ends at the right block, that is, a longer one would not
 * have been better. */
static bool ends_there(const struct decoder *d, struct bitmap_end *end,
                       size_t in_bitmap)
{
    const uint32_t *column = d->s->columns;

    if (end->sum + (int64_t)(d->head.pairs - in_bitmap) - BLOCK_WORTH <=
        end->best)
        return true;
    for (size_t i = in_bitmap; i < d->head.pairs;) {
        uint32_t block = column[i] / BLOCK;
        size_t first = i;

        while (i < d->head.pairs && column[i] / BLOCK == block)
            i++;
        bitmap_end_add(end, block, (int64_t)(i - first));
    }
    return end->blocks == d->head.blocks;
}

/* Read a string of n bits and spread it to where `where` has ones. */
static bool take_bits(struct decoder *d, uint64_t *out, size_t n,
                      const uint64_t *where, size_t words)
{
    size_t at = 0;

    if ((n + 7) / 8 > left(d) || !padded(d->p, n))
        return false;
    d->s->k->spread(out, d->p, &at, where, words);
    d->p += (n + 7) / 8;
    return true;
}

/* Read the counts; plane j is at planes + j * words.  After the planes
 * there are two bitmaps: the pairs with a count of at least 2^j, and of at
 * least 2^(j + 1). */
static bool take_planes(struct decoder *d, size_t words)
{
    uint64_t *planes = d->s->planes, *now = planes + d->head.bits * words;
    uint64_t *next = now + words;
    size_t n = (size_t)d->head.pairs;

    memset(now, 0xff, words * 8);
    if (n % 64)
        now[words - 1] = ((uint64_t)1 << n % 64) - 1;
    for (unsigned j = 0; j + 1 < d->head.bits; j++) {
        uint64_t *plane = planes + j * words, *swap = now;

        if (!take_bits(d, next, n, now, words))
            return false;
        n = d->s->k->ones(next, words);
        if (!n || !take_bits(d, plane, n, next, words))
            return false;
        for (size_t w = 0; w < words; w++)
            plane[w] |= now[w] & ~next[w]; /* the highest bit of their counts */
        now = next;
        next = swap;
    }
    memcpy(planes + (d->head.bits - 1) * words, now, words * 8);
    return true;
}

static int make_room(struct decoder *d, struct entry **entries,
                     size_t *cap, size_t words, struct cooc_err *err)
{
    size_t n = (size_t)d->head.pairs + KERNEL_SLACK;
    int rc = array_grow(entries, cap, n, sizeof **entries, err);

    if (rc == 0)
        rc = array_grow(&d->s->columns, &d->s->columns_cap, n,
                        sizeof *d->s->columns, err);
    if (rc == 0)
        rc = array_grow(&d->s->codes, &d->s->codes_cap,
                        n + (size_t)d->head.far, sizeof *d->s->codes, err);
    if (rc == 0)
        rc = array_grow(&d->s->planes, &d->s->planes_cap,
                        (d->head.bits + 2) * words +
                            (size_t)d->head.blocks * BLOCK_WORDS,
                        sizeof *d->s->planes, err);
    return rc;
}

/* Copy the code to a buffer with slack after it. */
static int take_copy(struct decoder *d, const uint8_t *code, size_t len,
                     struct cooc_err *err)
{
    int rc = array_grow(&d->s->bytes, &d->s->bytes_cap, len + KERNEL_SLACK,
                        1, err);

    if (rc < 0)
        return rc;
    memcpy(d->s->bytes, code, len);
    memset(d->s->bytes + len, 0, KERNEL_SLACK);
    d->p = d->s->bytes;
    d->end = d->p + len;
    return 0;
}

int row_decode(const uint8_t *code, size_t len, uint32_t t,
               struct entry **entries, size_t *cap, size_t *n,
               struct row_scratch *scratch, struct cooc_err *err)
{
    struct decoder d = { .s = scratch, .t = t };
    struct bitmap_end end = { 0 };
    size_t words, in_bitmap;
    int rc;

    *n = 0;
    if (len == 0)
        return 0;
    if (!scratch->k)
        scratch->k = kernel_find(NULL, err);
    rc = take_copy(&d, code, len, err);
    if (rc < 0)
        return rc;
    if (!row_head_take(&d.head, &d.p, d.end, t))
        goto bad;
    words = (size_t)(d.head.pairs + 63) / 64;
    rc = make_room(&d, entries, cap, words, err);
    if (rc < 0)
        return rc;
    if (!take_bitmap(&d, scratch->planes + (d.head.bits + 2) * words, &end))
        goto bad;
    in_bitmap = d.n;
    if (!take_gaps(&d) || !ends_there(&d, &end, in_bitmap) ||
        !take_planes(&d, words) || d.p != d.end)
        goto bad;
    scratch->k->entries(*entries, scratch->columns, scratch->planes, words,
                        d.head.bits, (size_t)d.head.pairs);
    *n = (size_t)d.head.pairs;
    return 0;
bad:
    return err_set(err, COOC_EFORMAT, "row %u cannot be decoded", t);
}
