/* mem.h - all allocation: sizes are checked, tests can make it fail.
 *
 * In a build with COOC_MEM_TEST every live block is counted and the n-th
 * allocation can be made to fail; otherwise these are malloc and free.
 */
#ifndef COOC_MEM_H
#define COOC_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* Room for n items of the given size, uninitialised; NULL on failure or
 * overflow.  Never NULL for n == 0. */
void *mem_array(size_t n, size_t size);
/* The same, all bytes zero. */
void *mem_zarray(size_t n, size_t size);
/* Resize to n items; on failure NULL and the old block stays. */
void *mem_resize(void *p, size_t n, size_t size);
char *mem_dup(const char *s, size_t len); /* adds a NUL */
void mem_free(void *p);
/* Give what is free back to the system: something else will need it. */
void mem_trim(void);

#ifdef COOC_MEM_TEST
void mem_fail_at(long n); /* the n-th allocation from now; 0: never */
bool mem_failed(void);    /* has it happened? */
long mem_live(void);      /* blocks not freed */
#endif

#endif
