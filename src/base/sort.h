/* sort.h - sort integers, and binary search in sorted arrays.
 *
 * Cost       Radix sort (radix.h) in scratch memory of the caller; insertion
 *            sort for small arrays.
 */
#ifndef COOC_SORT_H
#define COOC_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort keys[0..n) in ascending order; tmp must have room for n keys. */
void sort_u32(uint32_t *keys, uint32_t *tmp, size_t n);
void sort_u64(uint64_t *keys, uint64_t *tmp, size_t n);

/* Define a function that returns the index of the first of n ascending values
 * that is not less than want, or n if there is none. */
#define DEFINE_SEARCH(name, type)                                              \
    static inline size_t name(const type *v, size_t n, type want)              \
    {                                                                          \
        size_t lo = 0;                                                         \
                                                                               \
        while (lo < n) {                                                       \
            size_t mid = lo + (n - lo) / 2;                                    \
                                                                               \
            if (v[mid] < want)                                                 \
                lo = mid + 1;                                                  \
            else                                                               \
                n = mid;                                                       \
        }                                                                      \
        return lo;                                                             \
    }

DEFINE_SEARCH(search_u32, uint32_t)
DEFINE_SEARCH(search_u64, uint64_t)

#endif
