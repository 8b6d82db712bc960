/* mem.h - allocate memory, with sizes checked for overflow.
 *
 * All memory of the library is allocated here.  In a build with COOC_MEM_TEST,
 * live blocks are counted and the n-th allocation can be made to fail;
 * otherwise these functions are thin wrappers of malloc() and free().
 */
#ifndef COOC_MEM_H
#define COOC_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* Allocate n uninitialised items of size bytes each.  NULL on failure or
 * overflow; for n == 0 a block is returned as well. */
void *mem_array(size_t n, size_t size);
/* The same, initialised with zeros. */
void *mem_zarray(size_t n, size_t size);
/* Resize a block to n items.  On failure, return NULL; the old block stays. */
void *mem_resize(void *p, size_t n, size_t size);
char *mem_dup(const char *s, size_t len); /* copies s[0..len), adds a NUL */
void mem_free(void *p);
/* Allocate n items, initialised with zeros, for random access: the block begins
 * at a cache line and, if it is large, at a huge page, so that accesses rarely
 * miss the TLB.  mem_resize() does not accept it. */
void *mem_table(size_t n, size_t size);
/* Return free memory of the allocator to the system. */
void mem_trim(void);

#ifdef COOC_MEM_TEST
void mem_fail_at(long n); /* fail the n-th allocation from now; 0: none */
bool mem_failed(void);    /* whether that allocation was made */
long mem_live(void);      /* number of blocks not yet freed */
#endif

#endif
