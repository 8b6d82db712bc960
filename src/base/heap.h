/* heap.h - a binary heap of pointers: items[0] is the least.
 *
 * For merging: the heap holds the inputs, ordered by their current records.
 * When the first input has gone on to its next record, heap_sink() moves it
 * to its place; an input without a record is replaced by the last item.
 */
#ifndef COOC_HEAP_H
#define COOC_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef bool (*heap_less_fn)(const void *a, const void *b);

/* items[i] may be greater than the items below it: move it down. */
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
 * items[0..n) are records of that many bytes, the weakest is the first.  Size
 * and less() are constants where these are called, so they cost nothing. */

/* Add a record to n others; there is room for it. */
static inline void heap_add(void *items, size_t n, size_t size,
                            const void *new, heap_less_fn less)
{
    char *at = items;

    for (size_t up; n && less(new, at + (up = (n - 1) / 2) * size); n = up)
        memcpy(at + n * size, at + up * size, size);
    memcpy(at + n * size, new, size);
}

/* Put a record in the place of the first of n. */
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
