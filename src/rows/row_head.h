/* row_head.h - the four numbers that a row's code begins with. */
#ifndef COOC_ROW_HEAD_H
#define COOC_ROW_HEAD_H

#include "base/bytes.h"
#include "rows/row_code.h"

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
