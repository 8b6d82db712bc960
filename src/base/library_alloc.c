/* library_alloc.c - a reserve of memory for ICU, jansson and libxml2 when
 * malloc() fails.
 *
 * The reserve is a list of chunks.  The first one, of 1 MiB, is allocated by
 * cooc_global_init() and stays; when it is full, further chunks are mapped
 * from the system.  A chunk is filled from its start to its end, and is empty
 * again when its last block is freed:
 *
 *     chunk | size block | size block | size block |    free    |
 *           start                                   at          end
 *
 * free() and realloc() recognise blocks of the reserve by their address.  So a
 * library may already hold blocks of malloc() when cooc_global_init() is
 * called.
 *
 * Cost.  Two comparisons per free() while malloc() has never failed.
 */
#include "base/library_alloc.h"

#include <jansson.h>
#include <libxml/xmlmemory.h>
#include <malloc.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unicode/uclean.h>

#include "base/err.h"

#define CHUNK_BYTES ((size_t)1 << 20)

/* Precedes each block; its size is a multiple of every alignment. */
struct header {
    alignas(max_align_t) size_t size;
};

struct chunk {
    struct chunk *next;
    char *at, *end; /* the free part of the chunk */
    size_t live;    /* number of blocks not yet freed */
    alignas(max_align_t) char start[];
};

/* Allocators apply to the whole process, and so do these variables.  The first
 * chunk is the last in the list. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *chunks;
static _Atomic(struct chunk *) first; /* NULL before cooc_global_init() */
static atomic_size_t mapped;          /* number of other chunks */
static _Thread_local bool failed;

void library_alloc_begin(void)
{
    failed = false;
}

int library_alloc_check(struct cooc_err *err)
{
    return library_alloc_end(0, err);
}

int library_alloc_end(int rc, struct cooc_err *err)
{
    if (!failed)
        return rc;
    failed = false;
    return err_nomem(err);
}

/* ---- the reserve; callers hold the lock ---------------------------------- */

static void chunk_init(struct chunk *c, size_t bytes)
{
    *c = (struct chunk){ .next = chunks, .at = c->start,
                         .end = (char *)c + bytes };
    chunks = c;
}

static struct chunk *map_chunk(size_t room)
{
    size_t bytes = room + sizeof(struct chunk);
    void *p;

    bytes = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
             -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    chunk_init(p, bytes);
    atomic_fetch_add(&mapped, 1);
    return p;
}

static void *reserve_take(size_t n)
{
    struct chunk *c = chunks;
    struct header *h;
    size_t room;

    if (n > SIZE_MAX / 4)
        return NULL;
    room = sizeof *h + (n + sizeof *h - 1) / sizeof *h * sizeof *h;
    while (c && (size_t)(c->end - c->at) < room)
        c = c->next;
    if (!c)
        c = map_chunk(room);
    if (!c)
        return NULL;
    h = (void *)c->at;
    h->size = n;
    c->at += room;
    c->live++;
    return h + 1;
}

/* Return the link to the chunk that contains a block; *link is NULL if no chunk
 * does. */
static struct chunk **chunk_of(const void *p)
{
    struct chunk **c = &chunks;

    while (*c && ((uintptr_t)p < (uintptr_t)*c ||
                  (uintptr_t)p >= (uintptr_t)(*c)->end))
        c = &(*c)->next;
    return c;
}

static void reserve_release(struct chunk **at)
{
    struct chunk *c = *at;

    if (--c->live > 0)
        return;
    c->at = c->start;
    if (c == atomic_load(&first))
        return;
    *at = c->next;
    atomic_fetch_sub(&mapped, 1);
    munmap(c, (size_t)(c->end - (char *)c));
}

/* ---- the allocators ------------------------------------------------------ */

/* Whether p may be in the reserve.  Needs no lock: the caller owns the block,
 * and a chunk is not unmapped while it has blocks. */
static bool may_be_in_reserve(const void *p)
{
    const struct chunk *c = atomic_load(&first);

    return atomic_load(&mapped) > 0 ||
           ((uintptr_t)p >= (uintptr_t)c && (uintptr_t)p < (uintptr_t)c->end);
}

/* Get the size of a block of the reserve; false if p is a block of malloc(). */
static bool in_reserve(const void *p, size_t *size)
{
    bool found;

    if (!may_be_in_reserve(p))
        return false;
    pthread_mutex_lock(&lock);
    found = *chunk_of(p) != NULL;
    pthread_mutex_unlock(&lock);
    if (found)
        *size = ((const struct header *)p)[-1].size;
    return found;
}

static void *allocate(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (p)
        return p;
    failed = true;
    pthread_mutex_lock(&lock);
    p = reserve_take(n);
    pthread_mutex_unlock(&lock);
    return p;
}

static void release(void *p)
{
    struct chunk **c;

    if (!p || !may_be_in_reserve(p)) {
        free(p);
        return;
    }
    pthread_mutex_lock(&lock);
    c = chunk_of(p);
    if (*c) {
        reserve_release(c);
        p = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(p);
}

static void *resize(void *old, size_t n)
{
    size_t size = 0;
    bool mine = old && in_reserve(old, &size);
    void *p = mine ? NULL : realloc(old, n ? n : 1);

    if (p)
        return p;
    if (!mine) {
        failed = true;
        size = old ? malloc_usable_size(old) : 0;
    }
    p = allocate(n);
    if (p && old) {
        memcpy(p, old, size < n ? size : n);
        release(old);
    }
    return p;
}

static char *duplicate(const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = allocate(n);

    return p ? memcpy(p, s, n) : NULL;
}

static void *U_CALLCONV icu_allocate(const void *context, size_t n)
{
    (void)context;
    return allocate(n);
}

static void *U_CALLCONV icu_resize(const void *context, void *old, size_t n)
{
    (void)context;
    return resize(old, n);
}

static void U_CALLCONV icu_release(const void *context, void *p)
{
    (void)context;
    release(p);
}

static int install(struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    struct chunk *c = malloc(CHUNK_BYTES);

    if (!c)
        return err_nomem(err);
    u_setMemoryFunctions(NULL, icu_allocate, icu_resize, icu_release, &status);
    if (U_FAILURE(status)) {
        free(c);
        return err_set(err, COOC_EINVAL,
                       "ICU is already in use (%s); initialise this library "
                       "before any other code uses ICU", u_errorName(status));
    }
    chunk_init(c, CHUNK_BYTES);
    atomic_store(&first, c);
    json_set_alloc_funcs(allocate, release);
    xmlMemSetup(release, allocate, resize, duplicate);
    return 0;
}

int cooc_global_init(unsigned flags, struct cooc_err *err)
{
    int rc = 0;

    if (flags)
        return err_set(err, COOC_EINVAL, "flags must be 0, not %#x", flags);
    pthread_mutex_lock(&lock);
    if (!atomic_load(&first))
        rc = install(err);
    pthread_mutex_unlock(&lock);
    return rc;
}
