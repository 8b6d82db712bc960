/* top_k.c - the first of many records by some order, up to a limit. */
#include "base/top_k.h"

#include <stdlib.h>

#include "base/buf.h"

int top_k_add(struct top_k *k, const void *item, struct cooc_err *err)
{
    const void *last = top_k_last(k);
    int rc;

    if (last && k->compare(item, last) > 0)
        return 0;
    if (k->limit && k->n / 2 == k->limit)
        top_k_sort(k);
    rc = array_grow(&k->items, &k->cap, k->n + 1, k->size, err);
    if (rc == 0)
        memcpy((char *)k->items + k->n++ * k->size, item, k->size);
    return rc;
}

void top_k_sort(struct top_k *k)
{
    if (k->n)
        qsort(k->items, k->n, k->size, k->compare);
    k->full = k->limit && k->n >= k->limit;
    if (k->full)
        k->n = k->limit;
}
