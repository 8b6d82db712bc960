/* row_code.h - a row of (term, count) as bytes; the only form there is.
 *
 *     n        varint   pairs; a row without pairs has no bytes at all
 *     bits     1 byte   bit length of the largest count, 1 to 32
 *     blocks   varint   columns below 256 * blocks are a bitmap:
 *     far      varint   codes of the gaps that are 65535
 *     bitmap   32 bytes for each block, a bit a column, low bits first
 *     gaps     the other columns (below)
 *     planes   the counts, bit by bit (below)
 *
 * Blocks.  The beginning of a row is dense, the end is sparse.  The bitmap
 * ends where that is best if a block of it costs as much as 24 pairs do
 * elsewhere: blocks is the least b for which the sum over the first b blocks
 * of (pairs in it - 24) is largest.
 *
 * Gaps.  Each further pair is column - previous column - 1, where the column
 * before the first is the last of the bitmap.  While that is 65535 or more,
 * a code 65535 is written for 65535 columns without a pair.  So codes have
 * 16 bits.  First comes a bit for each code, is it greater than 255?, then
 * the codes, in one byte or in two, low byte first.
 *
 * Planes.  Most counts are 1, so counts are written in Elias's gamma code,
 * but by bit position, not pair by pair: with S(j) the pairs whose count is
 * at least 2^j, in order, for j = 0, 1, ... bits - 2
 *
 *     a bit for each pair of S(j):     is it in S(j + 1)?
 *     a bit for each pair of S(j + 1): bit j of its count
 *
 * Every string of bits begins at a new byte, low bits first, and is padded
 * with zeros.  A counter kept as bit planes can be written this way by
 * selecting bits, without ever looking at a single pair, and read likewise.
 *
 * The code is canonical: equal rows are equal bytes.
 */
#ifndef COOC_ROW_CODE_H
#define COOC_ROW_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "cooc.h"
#include "rows/row_parts.h"

#define BLOCK 256u      /* columns */
#define BLOCK_WORDS 4u  /* of 64 */
#define BLOCK_WORTH 24  /* pairs */
#define GAP_FAR 65535u

/* What both directions need beside their arguments; all zero is empty. */
struct row_scratch {
    const struct kernels *k; /* NULL: the best */
    uint32_t *index;    /* words of the planes that are not 0 */
    size_t index_cap;
    uint32_t *columns;
    size_t columns_cap;
    uint16_t *codes;
    size_t codes_cap;
    uint8_t *bytes;     /* of which gaps are long; of a code being read */
    size_t bytes_cap;
    uint64_t *planes;   /* of counts being read */
    size_t planes_cap;
    struct row_room room; /* of entries being written */
};

void row_scratch_release(struct row_scratch *s);

/* Append the code of entries[0..n), which ascend, to out. */
int row_encode(struct buf *out, const struct entry *entries, size_t n,
               struct row_scratch *scratch, struct cooc_err *err);

/* The same for a row in parts. */
int row_encode_parts(struct buf *out, const struct row_parts *row,
                     struct row_scratch *scratch, struct cooc_err *err);

/* Decode code[0..len), the row of term t, into *entries, which grows.  Any
 * bytes are safe: what is not a row is COOC_EFORMAT. */
int row_decode(const uint8_t *code, size_t len, uint32_t t,
               struct entry **entries, size_t *cap, size_t *n,
               struct row_scratch *scratch, struct cooc_err *err);

/* The count of column in code[0..len), the row of term t; 0 if it is not
 * there.  Any bytes are safe, and COOC_EFORMAT if they cannot be a row; but
 * only what the answer depends on is looked at.  k NULL: the best. */
int row_find(const uint8_t *code, size_t len, uint32_t t, uint32_t column,
             const struct kernels *k, uint32_t *count, struct cooc_err *err);

/* Where the bitmap ends: give the blocks that have pairs, in order, and
 * read blocks. */
struct bitmap_end {
    int64_t sum, best;
    uint32_t next;   /* block */
    uint32_t blocks; /* so far */
};

static inline void bitmap_end_add(struct bitmap_end *e, uint32_t block,
                                  int64_t pairs)
{
    e->sum += pairs - BLOCK_WORTH * ((int64_t)block - e->next + 1);
    e->next = block + 1;
    if (e->sum > e->best) {
        e->best = e->sum;
        e->blocks = e->next;
    }
}

/* The four numbers that a code begins with. */
struct row_head {
    uint64_t pairs, blocks, far;
    unsigned bits;
};

/* Read them at *p, which is moved behind them.  False if no row of term t,
 * of which so many bytes are left, can begin so. */
static inline bool row_head_take(struct row_head *h, const uint8_t **p,
                                 const uint8_t *end, uint32_t t)
{
    if (!get_varint(p, end, &h->pairs) || !h->pairs || h->pairs > t ||
        *p == end)
        return false;
    h->bits = *(*p)++;
    return h->bits >= 1 && h->bits <= 32 && get_varint(p, end, &h->blocks) &&
           get_varint(p, end, &h->far) &&
           h->blocks <= (size_t)(end - *p) / (BLOCK / 8) &&
           h->blocks <= t / BLOCK + 1 && h->far <= t / GAP_FAR &&
           h->pairs / 8 <= (size_t)(end - *p); /* a pair has a bit at least */
}

#endif
