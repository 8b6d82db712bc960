/* sort.h - radix sort of integers (radix.h), with the caller's scratch, and
 * binary search in what is sorted. */
#ifndef COOC_SORT_H
#define COOC_SORT_H

#include <stddef.h>
#include <stdint.h>

/* tmp has room for n keys as well. */
void sort_u32(uint32_t *keys, uint32_t *tmp, size_t n);
void sort_u64(uint64_t *keys, uint64_t *tmp, size_t n);

/* The first of n places with a value that is not less than the wanted one; n
 * if there is none.  The values ascend. */
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
