/* top_k.h - the first of many records by some order, up to a limit.
 *
 * Records are gathered until there are twice as many as are wanted; then they
 * are sorted and the later half is dropped.  A record that comes after the last
 * one kept is not gathered.
 */
#ifndef COOC_TOP_K_H
#define COOC_TOP_K_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;

/* All zero but for size, compare and limit is empty. */
struct top_k {
    size_t size;  /* of a record */
    int (*compare)(const void *a, const void *b); /* as qsort() takes it */
    size_t limit; /* 0: keep all */
    void *items;  /* for mem_free() */
    size_t n, cap;
    bool full;    /* items[0..limit) were the first when last sorted */
};

/* What comes after this record is not among the first; NULL: not known. */
static inline const void *top_k_last(const struct top_k *k)
{
    return k->full ? (const char *)k->items + (k->limit - 1) * k->size : NULL;
}

int top_k_add(struct top_k *k, const void *item, struct cooc_err *err);
void top_k_sort(struct top_k *k); /* the first of all, limit at most */

#endif
