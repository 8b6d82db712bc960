/* search.h - binary search in ascending arrays.
 *
 * The first of n places with a value that is not less than the wanted one; n
 * if there is none.
 */
#ifndef COOC_SEARCH_H
#define COOC_SEARCH_H

#include <stddef.h>
#include <stdint.h>

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
