/* entry.h - one entry of a row inside the library.
 *
 * It has half the size of the public struct cooc_entry, because a number of
 * documents fits in 32 bits.
 */
#ifndef COOC_ENTRY_H
#define COOC_ENTRY_H

#include "cooc.h"

struct entry {
    uint32_t term, count;
};

static inline struct cooc_entry entry_public(struct entry e)
{
    return (struct cooc_entry){ .term = e.term, .count = e.count };
}

#endif
