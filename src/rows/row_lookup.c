/* row_lookup.c - look up one count of a row without decoding the row.
 *
 * For a column in the bitmap, the number of ones before it is the number of
 * pairs before its pair; after the bitmap, gaps are added up until the column
 * is reached.  This number is the position of the pair in plane 0, and counting
 * ones again gives its position in the next plane:
 *
 *     columns      1  4  5  9        look up column 5: position 2
 *     >= 2?        0  1  1  0        yes, and one pair before it is, too:
 *                                    position 1 in S(1)
 *     bit 0           0  1           bit 0 of its count is 1
 *     >= 4?           1  0           no, so 2 is the highest bit: count 3
 *
 * Cost.  The bitmap takes as long as counting its ones, each gap half a
 * nanosecond, the planes next to nothing.
 *
 * Bytes are checked before they are used, so any input is safe.  But bytes
 * that are not needed are not checked: only row_decode() verifies that a code
 * is a valid row.
 */
#include <string.h>

#include "base/err.h"
#include "kernel/kernel.h"
#include "rows/row_code.h"

enum { CHUNK = 256, CHUNK_WORDS = 64 };

struct lookup {
    const struct kernels *k;
    const uint8_t *p, *end;
    struct row_head head;
    uint32_t column; /* the column to look up */
    uint64_t place;  /* number of pairs before it, as far as known */
    bool there;
};

static size_t left(const struct lookup *l)
{
    return (size_t)(l->end - l->p);
}

static bool bit_at(const uint8_t *bits, uint64_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

/* Count the ones among the first n bits.  bits need not be aligned. */
static uint64_t ones_of(const struct kernels *k, const uint8_t *bits,
                        uint64_t n)
{
    uint64_t words[CHUNK_WORDS], sum = 0;

    while (n > 0) {
        size_t some = n < CHUNK_WORDS * 64 ? (size_t)n : CHUNK_WORDS * 64;
        uint8_t *last = (uint8_t *)words + (some - 1) / 8;

        words[(some - 1) / 64] = 0;
        memcpy(words, bits, (some + 7) / 8);
        *last &= (uint8_t)(0xff >> (-some & 7));
        sum += k->ones(words, (some + 63) / 64);
        bits += some / 8;
        n -= some;
    }
    return sum;
}

/* ---- columns ------------------------------------------------------------ */

/* Step over n codes; *next is the column after the last pair.  Returns true if
 * the column to look up was reached or passed. */
static bool pass_codes(struct lookup *l, uint64_t *next,
                       const uint16_t *codes, size_t n)
{
    uint32_t sum = 0, far = 0;

    for (size_t i = 0; i < n; i++) {
        sum += codes[i];
        far += codes[i] == GAP_FAR;
    }
    if (*next + sum + (n - far) <= l->column) {
        *next += sum + (n - far);
        l->place += n - far;
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        *next += codes[i];
        if (codes[i] == GAP_FAR)
            continue;
        if (*next >= l->column) {
            l->there = *next == l->column;
            return true;
        }
        ++*next;
        l->place++;
    }
    return true; /* the column is in the final steps of 65535 */
}

/* Find the column among n codes; their flags begin at which, their bytes at
 * data.  False if the codes are invalid. */
static bool find_gap(struct lookup *l, const uint8_t *which,
                     const uint8_t *data, uint64_t n)
{
    uint8_t bits[CHUNK / 8 + KERNEL_SLACK] = { 0 };
    uint8_t bytes[CHUNK * 2 + KERNEL_SLACK] = { 0 };
    uint16_t codes[CHUNK + KERNEL_SLACK];
    uint64_t next = l->head.blocks * BLOCK;

    for (size_t some; n > 0; n -= some) {
        size_t len;

        some = n < CHUNK ? (size_t)n : CHUNK;
        len = some + (size_t)ones_of(l->k, which, some);
        memcpy(bits, which, (some + 7) / 8);
        memcpy(bytes, data, len);
        if (!l->k->unpack(codes, bits, bytes, some))
            return false;
        if (pass_codes(l, &next, codes, some))
            return true;
        which += CHUNK / 8;
        data += len;
    }
    return true;
}

/* Find out whether the row has the column, and the position of its pair.  Moves
 * l->p past all columns.  False if the code is invalid. */
static bool find_column(struct lookup *l)
{
    const struct row_head *h = &l->head;
    const uint8_t *map = l->p;
    uint64_t in_map = ones_of(l->k, map, h->blocks * BLOCK), n, two;
    size_t bytes;

    l->p += h->blocks * (BLOCK / 8);
    if (in_map > h->pairs)
        return false;
    n = h->pairs - in_map + h->far;
    bytes = (size_t)(n + 7) / 8;
    if (bytes + n > left(l))
        return false;
    two = ones_of(l->k, l->p, n);
    if (bytes + n + two > left(l))
        return false;
    if (l->column < h->blocks * BLOCK) {
        l->there = bit_at(map, l->column);
        l->place = ones_of(l->k, map, l->column);
    } else {
        l->place = in_map;
        if (!find_gap(l, l->p, l->p + bytes, n))
            return false;
    }
    l->p += bytes + n + two;
    return l->place < h->pairs || !l->there;
}

/* ---- counts ------------------------------------------------------------- */

static bool find_count(struct lookup *l, uint32_t *count)
{
    uint64_t n = l->head.pairs, i = l->place;
    unsigned j = 0;

    *count = 0;
    for (; j + 1 < l->head.bits; j++) {
        const uint8_t *more = l->p;
        size_t bytes = (size_t)(n + 7) / 8;

        if (bytes > left(l))
            return false;
        if (!bit_at(more, i))
            break;
        l->p += bytes;
        i = ones_of(l->k, more, i);
        n = ones_of(l->k, more, n);
        bytes = (size_t)(n + 7) / 8;
        if (bytes > left(l))
            return false;
        *count |= (uint32_t)bit_at(l->p, i) << j;
        l->p += bytes;
    }
    *count |= 1u << j;
    return true;
}

int row_find(const uint8_t *code, size_t len, uint32_t t, uint32_t column,
             const struct kernels *k, uint32_t *count, struct cooc_err *err)
{
    struct lookup l = { .k = k ? k : kernel_find(NULL, err), .p = code,
                        .end = code + len, .column = column };

    *count = 0;
    if (len == 0)
        return 0;
    if (!row_head_take(&l.head, &l.p, l.end, t) || !find_column(&l) ||
        (l.there && !find_count(&l, count)))
        return err_set(err, COOC_EFORMAT, "row %u cannot be decoded", t);
    return 0;
}
