/* row_code.h - a row of (term, count) as bytes; the only form there is.
 *
 *     n        varint   pairs; a row without pairs has no bytes at all
 *     bits     1 byte   bit length of the largest count, 1 to 32
 *     blocks   varint   columns below 256 * blocks are coded by block:
 *     heads    1 byte for each block: 0 to 31 pairs, or 32: a bitmap
 *     columns  for each block its pairs' low bytes, or the 32-byte bitmap
 *     gaps     varint for each further pair: column - previous column - 1
 *     planes   the counts, bit by bit (below)
 *
 * blocks is one more than the last block of at least 32 pairs.
 *
 * Planes.  Most counts are 1, so counts are written in Elias's gamma code,
 * but by bit position, not pair by pair: with S(j) the pairs whose count is
 * at least 2^j, in order, for j = 0, 1, ... bits - 2
 *
 *     a bit for each pair of S(j):     is it in S(j + 1)?
 *     a bit for each pair of S(j + 1): bit j of its count
 *
 * Each such string of bits begins at a new byte, low bits first, and is
 * padded with zeros.  A counter kept as bit planes can be written this way
 * by selecting bits, without ever looking at a single pair.
 *
 * The code is canonical: equal rows are equal bytes.
 */
#ifndef COOC_ROW_CODE_H
#define COOC_ROW_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cooc.h"

struct row_parts;

/* What both directions need beside their arguments; all zero is empty. */
struct row_scratch {
    uint32_t *subset;
    size_t cap;
    uint16_t *ones; /* pairs of each block */
    size_t ones_cap;
    uint16_t *index; /* words of the planes that are not 0 */
    size_t index_cap;
};

void row_scratch_release(struct row_scratch *s);

/* Append the code of entries[0..n), which ascend, to out. */
int row_encode(struct buf *out, const struct cooc_entry *entries, size_t n,
               struct row_scratch *scratch, struct cooc_err *err);

/* The same bytes for a row in parts (count/row_parts.h). */
int row_encode_parts(struct buf *out, const struct row_parts *row,
                     struct row_scratch *scratch, struct cooc_err *err);

/* Decode code[0..len), the row of term t, into *entries, which grows.  Any
 * bytes are safe: what is not a row is COOC_EFORMAT. */
int row_decode(const uint8_t *code, size_t len, uint32_t t,
               struct cooc_entry **entries, size_t *cap, size_t *n,
               struct row_scratch *scratch, struct cooc_err *err);

#endif
