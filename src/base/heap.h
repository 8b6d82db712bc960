/* heap.h - binary heaps: heaps of pointers, to merge sorted inputs, and heaps
 * of records, to keep the strongest records.
 *
 * To merge sorted inputs, make a heap of pointers to the inputs, ordered by
 * their current records; items[0] has the smallest record.  After you advance
 * that input, call heap_sink() to restore the order.  Replace an exhausted
 * input with the last item, then call heap_sink().
 *
 * Cost       O(log n) comparisons per call, O(n) for heap_make().
 */
#ifndef COOC_HEAP_H
#define COOC_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef bool (*heap_less_fn)(const void *a, const void *b);

/* Restore the heap order after items[i] may have become greater than its
 * children. */
static inline void heap_sink(void **items, size_t n, size_t i,
                             heap_less_fn less)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        void *swap = items[i];

        if (child + 1 < n && less(items[child + 1], items[child]))
            child++;
        if (!less(items[child], swap))
            return;
        items[i] = items[child];
        items[child] = swap;
    }
}

static inline void heap_make(void **items, size_t n, heap_less_fn less)
{
    for (size_t i = n / 2; i-- > 0;)
        heap_sink(items, n, i, less);
}

/* ---- heaps of records, to keep the strongest of many ----
 *
 * items[0..n) are records of size bytes; items[0] is the weakest.  Callers pass
 * constants for size and less, so the compiler specialises these functions. */

/* Add a record to a heap of n records that has room for one more. */
static inline void heap_add(void *items, size_t n, size_t size,
                            const void *new, heap_less_fn less)
{
    char *at = items;

    for (size_t up; n && less(new, at + (up = (n - 1) / 2) * size); n = up)
        memcpy(at + n * size, at + up * size, size);
    memcpy(at + n * size, new, size);
}

/* Replace the weakest of n records with *new and restore the heap order. */
static inline void heap_replace(void *items, size_t n, size_t size,
                                const void *new, heap_less_fn less)
{
    char *at = items;
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n &&
            less(at + (child + 1) * size, at + child * size))
            child++;
        if (!less(at + child * size, new))
            break;
        memcpy(at + i * size, at + child * size, size);
    }
    memcpy(at + i * size, new, size);
}

#endif
