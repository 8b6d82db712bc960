/* mem.c - allocation with checked sizes, and failures for tests. */
#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CACHE_LINE ((size_t)64)
#define HUGE_PAGE ((size_t)2 << 20)

#ifdef COOC_MEM_TEST
#include <stdatomic.h>

/* Only in test builds: mem.c has no mutable variables otherwise. */
static atomic_long live, countdown;
static atomic_bool failed;

void mem_fail_at(long n)
{
    atomic_store(&countdown, n);
    atomic_store(&failed, false);
}

bool mem_failed(void)
{
    return atomic_load(&failed);
}

long mem_live(void)
{
    return atomic_load(&live);
}

static bool refuse(void)
{
    if (atomic_load(&countdown) == 0 || atomic_fetch_sub(&countdown, 1) != 1)
        return false;
    atomic_store(&failed, true);
    return true;
}

static void count_live(long by)
{
    atomic_fetch_add(&live, by);
}
#else
static bool refuse(void)
{
    return false;
}

static void count_live(long by)
{
    (void)by;
}
#endif

void *mem_array(size_t n, size_t size)
{
    return mem_resize(NULL, n, size);
}

void *mem_zarray(size_t n, size_t size)
{
    void *p;

    if ((size && n > SIZE_MAX / 2 / size) || refuse())
        return NULL;
    p = calloc(n ? n : 1, size ? size : 1);
    if (p)
        count_live(1);
    return p;
}

void *mem_resize(void *old, size_t n, size_t size)
{
    void *p;

    if ((size && n > SIZE_MAX / 2 / size) || refuse())
        return NULL;
    p = realloc(old, n && size ? n * size : 1);
    if (p && !old)
        count_live(1);
    return p;
}

/* The block is cleared here instead of by calloc(): a page that is read before
 * it is written causes a second page fault, which also interrupts other
 * threads. */
void *mem_table(size_t n, size_t size)
{
    size_t bytes, align;
    void *p;

    if ((size && n > SIZE_MAX / 2 / size) || refuse())
        return NULL;
    align = n * size >= HUGE_PAGE ? HUGE_PAGE : CACHE_LINE;
    bytes = (n * size + align - 1) / align * align;
    p = aligned_alloc(align, bytes ? bytes : align);
    if (!p)
        return NULL;
    count_live(1);
    if (align == HUGE_PAGE)
        madvise(p, bytes, MADV_HUGEPAGE); /* only advice: it may fail */
    return memset(p, 0, n * size);
}

char *mem_dup(const char *s, size_t len)
{
    char *p = len < SIZE_MAX ? mem_array(len + 1, 1) : NULL;

    if (!p)
        return NULL;
    if (len)
        memcpy(p, s, len);
    p[len] = '\0';
    return p;
}

void mem_free(void *p)
{
    if (!p)
        return;
    count_live(-1);
    free(p);
}

void mem_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
