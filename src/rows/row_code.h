/* row_code.h - the encoding of a row, a list of (term, count), as bytes.
 *
 *     n        varint   number of pairs; an empty row has no bytes at all
 *     bits     1 byte   bit length of the largest count, 1 to 32
 *     blocks   varint   columns below 256 * blocks are stored as a bitmap
 *     far      varint   number of gap codes that are 65535
 *     bitmap            32 bytes per block, one bit per column, low bits first
 *     gaps              the columns after the bitmap (see below)
 *     planes            the counts, by bit position (see below)
 *
 * Blocks.  The beginning of a row is dense, its end is sparse.  A block of the
 * bitmap is taken to cost as much as 24 pairs outside the bitmap, and the
 * bitmap ends where the total cost is least: blocks is the smallest b that
 * maximises the sum, over the first b blocks, of (pairs in the block - 24).
 *
 * Gaps.  Each pair after the bitmap is stored as its gap: column - previous
 * column - 1.  For the first pair, the previous column is 256 * blocks - 1, the
 * last column of the bitmap.  While a gap is 65535 or more, a code 65535 is
 * written, which skips 65535 columns without a pair, so every code fits in 16
 * bits.  First comes one bit per code, which says whether the code is greater
 * than 255, then the codes, in one or two bytes each, low byte first.
 *
 * Planes.  Most counts are 1, so counts are written in Elias gamma code, but by
 * bit position instead of pair by pair.  Let S(j) be the pairs with a count of
 * at least 2^j, in order.  For j = 0, 1, ... bits - 2:
 *
 *     one bit per pair of S(j):       is it in S(j + 1)?
 *     one bit per pair of S(j + 1):   bit j of its count
 *
 * Every bit string begins at a new byte, low bits first, and is padded with
 * zeros.  Counters that are kept as bit planes can be encoded and decoded by
 * selecting bits, 64 at a time, without looking at single pairs.
 *
 * Example.  The row 1->1 4->4 5->3 9->1 has 13 bytes:
 *     04 03 00 00     4 pairs, 3 bits, 0 blocks, 0 codes of 65535
 *     00 01 02 00 03  no code above 255; the gaps 1 2 0 3
 *     06 02           in S(1)? 0 1 1 0    bit 0 of 4 and 3: 0 1
 *     01 00           in S(2)? 1 0        bit 1 of 4: 0
 *
 * The encoding is canonical: equal rows have equal bytes.
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

#define BLOCK 256u      /* columns per block */
#define BLOCK_WORDS 4u  /* 64-bit words per block */
#define BLOCK_WORTH 24  /* cost of a block, in pairs */
#define GAP_FAR 65535u

/* Scratch memory for encoding and decoding.  An all-zero struct is empty. */
struct row_scratch {
    const struct kernels *k; /* NULL: the fastest */
    uint32_t *index;    /* non-zero words of each plane */
    size_t index_cap;
    uint32_t *columns;
    size_t columns_cap;
    uint16_t *codes;
    size_t codes_cap;
    uint8_t *bytes;     /* encoding: flags of codes > 255; decoding: a
                         * copy of the code */
    size_t bytes_cap;
    uint64_t *planes;   /* decoding: counts and bitmap */
    size_t planes_cap;
    struct row_room room; /* encoding: the entries as planes */
};

void row_scratch_release(struct row_scratch *s);

/* Append the code of entries[0..n), which are ascending, to out. */
int row_encode(struct buf *out, const struct entry *entries, size_t n,
               struct row_scratch *scratch, struct cooc_err *err);

/* The same as row_encode(), for a row in parts. */
int row_encode_parts(struct buf *out, const struct row_parts *row,
                     struct row_scratch *scratch, struct cooc_err *err);

/* Decode code[0..len), the row of term t, into *entries, which grows as needed.
 * Safe for any bytes: COOC_EFORMAT if they are not a valid row. */
int row_decode(const uint8_t *code, size_t len, uint32_t t,
               struct entry **entries, size_t *cap, size_t *n,
               struct row_scratch *scratch, struct cooc_err *err);

/* Get the count of a column in code[0..len), the row of term t; 0 if the row
 * does not have the column.  Safe for any bytes: COOC_EFORMAT if they cannot be
 * a row, but only the bytes that determine the count are checked.  If k is
 * NULL, the fastest kernels are used. */
int row_find(const uint8_t *code, size_t len, uint32_t t, uint32_t column,
             const struct kernels *k, uint32_t *count, struct cooc_err *err);

/* Finds the number of blocks in the bitmap.  Call bitmap_end_add() for each
 * block that has pairs, in order; then read blocks. */
struct bitmap_end {
    int64_t sum, best;
    uint32_t next;   /* number of the next block */
    uint32_t blocks; /* best number of blocks so far */
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

/* The four numbers at the beginning of a code. */
struct row_head {
    uint64_t pairs, blocks, far;
    unsigned bits;
};

/* Read the four numbers at *p and move *p past them.  False if no row of term
 * t, with the bytes up to end, can begin with them. */
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
           h->pairs / 8 <= (size_t)(end - *p); /* at least 1 bit per pair */
}

#endif
