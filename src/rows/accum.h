/* accum.h - one row of counters that gives back what was counted, sorted.
 *
 * A dense array takes the increments, one load and one store each.  The
 * question is how to find the non-zero counters again.  A row that touches
 * much of the array is swept; a row that touches little marks each counter
 * in a bitmap with a second, 64 times smaller one above it, which is walked.
 * The caller knows beforehand how many increments a row will get.
 */
#ifndef COOC_ACCUM_H
#define COOC_ACCUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct accum {
    uint32_t *counts;
    uint64_t *touched, *summary;
    bool sweep;     /* this row is swept */
    struct cooc_entry *entries;
    size_t entries_cap;
};

/* Bytes for rows of so many entries at most. */
static inline uint64_t accum_bytes(uint32_t width, uint32_t longest_row)
{
    return (uint64_t)width * 4 + width / 7 + (uint64_t)longest_row * 8 + 64;
}

int accum_init(struct accum *a, uint32_t width, struct cooc_err *err);
void accum_release(struct accum *a);

/* Begin a row of the given number of increments. */
static inline void accum_begin(struct accum *a, uint32_t row,
                               uint64_t increments)
{
    a->sweep = increments >= row / 8;
}

/* Count each of terms[0..n). */
static inline void accum_add(struct accum *a, const uint32_t *terms, size_t n)
{
    if (a->sweep) {
        for (size_t i = 0; i < n; i++)
            a->counts[terms[i]]++;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t s = terms[i];

        a->counts[s]++;
        a->touched[s >> 6] |= (uint64_t)1 << (s & 63);
        a->summary[s >> 12] |= (uint64_t)1 << (s >> 6 & 63);
    }
}

/* The counters below row that are not zero, ascending, in a->entries; all
 * are zero again afterwards. */
int accum_take(struct accum *a, uint32_t row, size_t *n,
               struct cooc_err *err);

#endif
