/* pair_table.h - a dictionary of pairs: (row, term) -> count, in memory. */
#ifndef COOC_PAIR_TABLE_H
#define COOC_PAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"

struct pair_record {
    uint32_t row;
    struct entry entry;
};

struct pair_table {
    uint64_t *keys;   /* (row << 32 | term) + 1; 0: empty */
    uint32_t *counts;
    size_t mask, n;   /* n pairs */
};

/* Bytes that n pairs need at the worst, emptying included. */
#define PAIR_BYTES 56

int pair_table_init(struct pair_table *t, struct cooc_err *err);
void pair_table_release(struct pair_table *t);

/* Make room, so that the next extra calls of pair_table_count() succeed. */
int pair_table_reserve(struct pair_table *t, size_t extra,
                       struct cooc_err *err);

/* Where key is, or where it would be. */
static inline size_t pair_table_slot(const struct pair_table *t, uint64_t key)
{
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(hash ^ hash >> 32) & t->mask;

    while (t->keys[i] && t->keys[i] != key)
        i = (i + 1) & t->mask;
    return i;
}

static inline void pair_table_count(struct pair_table *t, uint32_t row,
                                    uint32_t term)
{
    uint64_t key = ((uint64_t)row << 32 | term) + 1;
    size_t i = pair_table_slot(t, key);

    if (!t->keys[i]) {
        t->keys[i] = key;
        t->n++;
    }
    t->counts[i]++;
}

/* All pairs, sorted by row and term, in a new array for mem_free(); the
 * table is empty afterwards. */
int pair_table_take(struct pair_table *t, struct pair_record **out, size_t *n,
                    struct cooc_err *err);

#endif
