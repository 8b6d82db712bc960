/* sort.c - sort integers. */
#include "base/sort.h"

#include <string.h>

#include "base/radix.h"

#define SMALL 48 /* below this length, insertion sort is faster */
#define ITSELF(key) (key)

DEFINE_RADIX_SORT(radix_u32, uint32_t, uint32_t, ITSELF)
DEFINE_RADIX_SORT(radix_u64, uint64_t, uint64_t, ITSELF)

void sort_u32(uint32_t *keys, uint32_t *tmp, size_t n)
{
    if (n < SMALL) {
        for (size_t i = 1; i < n; i++) {
            uint32_t k = keys[i];
            size_t j = i;

            for (; j > 0 && keys[j - 1] > k; j--)
                keys[j] = keys[j - 1];
            keys[j] = k;
        }
    } else if (radix_u32(keys, tmp, n) != keys) {
        memcpy(keys, tmp, n * sizeof *keys);
    }
}

void sort_u64(uint64_t *keys, uint64_t *tmp, size_t n)
{
    if (n && radix_u64(keys, tmp, n) != keys)
        memcpy(keys, tmp, n * sizeof *keys);
}
