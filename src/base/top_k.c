/* top_k.c - the first k of many records in some order, by quickselect. */
#include "base/top_k.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define EXTRA_MIN 16 /* records collected beyond the limit, at least */

static void swap(char *a, char *b, size_t size)
{
    char tmp[64];

    while (size) {
        size_t n = size < sizeof tmp ? size : sizeof tmp;

        memcpy(tmp, a, n);
        memcpy(a, b, n);
        memcpy(b, tmp, n);
        a += n;
        b += n;
        size -= n;
    }
}

/* Move a pivot to its place in items[lo..hi], with smaller records before it
 * and larger ones after it.  Returns that place. */
static size_t partition(struct top_k *k, size_t lo, size_t hi, size_t pivot)
{
    char *items = k->items, *first = items + lo * k->size;
    size_t i = lo, j = hi + 1;

    swap(first, items + pivot * k->size, k->size);
    for (;;) {
        do
            i++;
        while (i <= hi && k->compare(items + i * k->size, first) < 0);
        do
            j--;
        while (j > lo && k->compare(items + j * k->size, first) > 0);
        if (i >= j)
            break;
        swap(items + i * k->size, items + j * k->size, k->size);
    }
    swap(first, items + j * k->size, k->size);
    return j;
}

void top_k_trim(struct top_k *k)
{
    size_t lo = 0, hi = k->n;
    uint64_t random = k->n;

    if (!k->limit || k->n < k->limit)
        return;
    for (hi--; lo < hi;) {
        size_t at;

        random = random * 6364136223846793005u + 1442695040888963407u;
        at = partition(k, lo, hi, lo + (size_t)(random >> 33) % (hi - lo + 1));
        if (at == k->limit - 1)
            break;
        if (at < k->limit - 1)
            lo = at + 1;
        else
            hi = at - 1;
    }
    k->n = k->limit;
    k->full = true;
}

int top_k_add(struct top_k *k, const void *item, struct cooc_err *err)
{
    size_t extra = k->limit / 2 > EXTRA_MIN ? k->limit / 2 : EXTRA_MIN;
    const void *last = top_k_last(k);
    int rc;

    if (last && k->compare(item, last) > 0)
        return 0;
    if (k->limit && k->n >= extra && k->n - extra >= k->limit)
        top_k_trim(k);
    rc = array_grow(&k->items, &k->cap, k->n + 1, k->size, err);
    if (rc == 0)
        memcpy((char *)k->items + k->n++ * k->size, item, k->size);
    return rc;
}

void top_k_sort(struct top_k *k)
{
    top_k_trim(k);
    if (k->n)
        qsort(k->items, k->n, k->size, k->compare);
}
