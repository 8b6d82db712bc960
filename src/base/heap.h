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

#endif
