/* kept.c - the first of many records by some order, up to a limit. */
#include "base/kept.h"

#include <stdlib.h>

#include "base/buf.h"

int kept_add(struct kept *k, const void *item, struct cooc_err *err)
{
    const void *last = kept_last(k);
    int rc;

    if (last && k->compare(item, last) > 0)
        return 0;
    if (k->limit && k->n / 2 == k->limit)
        kept_sort(k);
    rc = array_grow(&k->items, &k->cap, k->n + 1, k->size, err);
    if (rc == 0)
        memcpy((char *)k->items + k->n++ * k->size, item, k->size);
    return rc;
}

void kept_sort(struct kept *k)
{
    if (k->n)
        qsort(k->items, k->n, k->size, k->compare);
    k->full = k->limit && k->n >= k->limit;
    if (k->full)
        k->n = k->limit;
}
