/* top_k.h - keep the first `limit` records of many, in the order of a
 * comparison function (top-k selection).
 *
 * Records are collected until there are 2 * limit; then they are sorted and the
 * second half is dropped.  From then on, a record that comes after the last one
 * kept is rejected with one comparison.
 *
 * Cost       O(n log k) comparisons at worst, 2 k records of memory.
 * Threads    One thread at a time; each worker has its own.
 */
#ifndef COOC_TOP_K_H
#define COOC_TOP_K_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;

/* Set size, compare and limit, and the rest to zero, to begin. */
struct top_k {
    size_t size;  /* bytes per record */
    int (*compare)(const void *a, const void *b); /* as for qsort() */
    size_t limit; /* 0 to keep all records */
    void *items;  /* the caller frees it with mem_free() */
    size_t n, cap;
    bool full;    /* items[0..limit) are the first of all sorted so far */
};

/* A record that comes after this one is not among the first.  NULL if fewer
 * than limit records are known. */
static inline const void *top_k_last(const struct top_k *k)
{
    return k->full ? (const char *)k->items + (k->limit - 1) * k->size : NULL;
}

int top_k_add(struct top_k *k, const void *item, struct cooc_err *err);
void top_k_sort(struct top_k *k); /* sort, keep at most limit records */

#endif
