/* sort.h - radix sort of integers (radix.h), with the caller's scratch. */
#ifndef COOC_SORT_H
#define COOC_SORT_H

#include <stddef.h>
#include <stdint.h>

/* tmp has room for n keys as well. */
void sort_u32(uint32_t *keys, uint32_t *tmp, size_t n);
void sort_u64(uint64_t *keys, uint64_t *tmp, size_t n);

#endif
