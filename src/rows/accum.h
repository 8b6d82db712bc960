/* accum.h - sum up one row, column by column, and return it sorted.
 *
 * Columns below `dense` have one counter each: an increment is one load and one
 * store.  There are two ways to find the non-zero counters afterwards.  In a
 * row that uses few counters, each one is marked in a bitmap, and each word of
 * the bitmap in a second bitmap, 64 times smaller; taking the row walks through
 * the marks.  In a row that uses many counters, all of them are swept instead;
 * accum_begin() chooses this.
 *
 * Columns from `dense` on are collected in a list, sorted and added up.  A row
 * has few of them, so memory stays bounded for any vocabulary size.
 */
#ifndef COOC_ACCUM_H
#define COOC_ACCUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"

struct accum {
    uint32_t dense; /* number of columns with counters */
    bool sweep;     /* sweep all counters of this row */
    uint32_t *counts;
    uint64_t *touched, *summary;
    uint64_t added; /* additions since the last row was taken */
    uint64_t *rest, *rest_tmp; /* column << 32 | count */
    size_t n_rest, rest_cap, tmp_cap;
    struct entry *entries; /* the row taken last */
    size_t entries_cap;
};

/* Memory in bytes, for rows of at most longest_row entries, all below dense. */
static inline uint64_t accum_bytes(uint32_t dense, uint32_t longest_row)
{
    return (uint64_t)dense * 4 + dense / 7 + (uint64_t)longest_row * 8 + 64;
}

int accum_init(struct accum *a, uint32_t dense, struct cooc_err *err);
void accum_release(struct accum *a);

/* Announce the next row; optional.  All its columns are below row and below
 * dense, and accum_add() will make about `increments` increments. */
static inline void accum_begin(struct accum *a, uint32_t row,
                               uint64_t increments)
{
    a->sweep = increments >= row / 8;
}

static inline void accum_mark(struct accum *a, uint32_t column)
{
    a->touched[column >> 6] |= (uint64_t)1 << (column & 63);
    a->summary[column >> 12] |= (uint64_t)1 << (column >> 6 & 63);
}

/* Add 1 to each of the counters base + terms[0..n), all below dense. */
static inline void accum_count(struct accum *a, uint32_t base,
                               const uint32_t *terms, size_t n)
{
    a->added += n;
    if (a->sweep)
        for (size_t i = 0; i < n; i++)
            a->counts[base + terms[i]]++;
    else
        for (size_t i = 0; i < n; i++) {
            a->counts[base + terms[i]]++;
            accum_mark(a, base + terms[i]);
        }
}

/* Add the counts of entries, which may be in any order. */
int accum_add_entries(struct accum *a, const struct entry *e, size_t n,
                      struct cooc_err *err);

/* Add 1 for each of terms[0..n), which are ascending. */
static inline int accum_add(struct accum *a, const uint32_t *terms, size_t n,
                            struct cooc_err *err)
{
    size_t low = n;
    int rc = 0;

    while (low > 0 && terms[low - 1] >= a->dense)
        low--;
    accum_count(a, 0, terms, low);
    for (; low < n && rc == 0; low++)
        rc = accum_add_entries(a, &(struct entry){ terms[low], 1 }, 1,
                               err);
    return rc;
}

/* Take the row, all columns of which are below row: *n entries, ascending, in
 * a->entries.  Afterwards all counts are zero. */
int accum_take(struct accum *a, uint32_t row, size_t *n,
               struct cooc_err *err);

#endif
