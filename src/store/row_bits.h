/* row_bits.h - what the two encoders of rows share. */
#ifndef COOC_ROW_BITS_H
#define COOC_ROW_BITS_H

#include <stdint.h>

#include "base/bytes.h"

#define BLOCK 256u /* columns */
#define DENSE 32u  /* pairs from which a block is a bitmap */
#define BITMAP 32u /* bytes */

struct bit_writer {
    uint8_t *p;
    uint64_t word;
    unsigned fill;
};

static inline void put_bit(struct bit_writer *w, uint32_t bit)
{
    w->word |= (uint64_t)bit << w->fill;
    if (++w->fill == 64) {
        put_le64(w->p, w->word);
        w->p += 8;
        w->word = 0;
        w->fill = 0;
    }
}

static inline void end_bits(struct bit_writer *w)
{
    for (; w->fill; w->fill -= w->fill < 8 ? w->fill : 8) {
        *w->p++ = (uint8_t)w->word;
        w->word >>= 8;
    }
}

#endif
