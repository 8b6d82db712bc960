/* mem.c - allocation with checked sizes, and failures for tests. */
#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <string.h>

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

void mem_huge(void *p, size_t bytes)
{
    const uintptr_t size = (uintptr_t)2 << 20;
    uintptr_t from = ((uintptr_t)p + size - 1) / size * size;
    uintptr_t to = ((uintptr_t)p + bytes) / size * size;

    if (from < to) /* only advice: it may fail */
        madvise((void *)from, to - from, MADV_HUGEPAGE);
}

void mem_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
