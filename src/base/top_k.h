/* top_k.h - the first k of many records in some order.
 *
 * Records are collected until there are half as many again as wanted; then a
 * selection keeps the first k.  From then on, a record that comes after the
 * last of these is dropped at once.
 *
 * Cost     At most about six comparisons per record that is not dropped at
 *          once, however large k is.
 */
#ifndef COOC_TOP_K_H
#define COOC_TOP_K_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;

/* Empty if all fields but size, compare and limit are zero. */
struct top_k {
    size_t size;  /* of a record in bytes */
    int (*compare)(const void *a, const void *b); /* as for qsort() */
    size_t limit; /* k; 0: keep all records */
    void *items;  /* to be freed with mem_free() */
    size_t n, cap;
    bool full;    /* items[limit - 1] is the last of the first k so far */
};

/* The last of the first k records so far; NULL if there are fewer. */
static inline const void *top_k_last(const struct top_k *k)
{
    return k->full ? (const char *)k->items + (k->limit - 1) * k->size : NULL;
}

int top_k_add(struct top_k *k, const void *item, struct cooc_err *err);
/* Keep the first k records only, in any order. */
void top_k_trim(struct top_k *k);
/* Keep the first k records only, in order. */
void top_k_sort(struct top_k *k);

#endif
