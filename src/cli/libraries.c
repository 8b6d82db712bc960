/* libraries.c - an allocator that does not fail, for ICU and jansson.
 *
 * To end at once is safe: nothing on disk looks finished before it is, and
 * the next job removes what a killed one has left.  The library does not do
 * this: what ends a process, or is set for all of it, is the program's.
 */
#include "cli/libraries.h"

#include <jansson.h>
#include <stdlib.h>
#include <unicode/uclean.h>
#include <unistd.h>

static void *some(void *p, size_t n)
{
    static const char text[] = "cooc: out of memory in a library; free some, "
                               "or run fewer programs at a time\n";

    if (p || !n)
        return p;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

static void *allocate(size_t n)
{
    return some(malloc(n), n);
}

static void *resize(void *old, size_t n)
{
    return some(realloc(old, n), n);
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

static void U_CALLCONV icu_free(const void *context, void *p)
{
    (void)context;
    free(p);
}

void libraries_prepare(void)
{
    UErrorCode status = U_ZERO_ERROR;

    u_setMemoryFunctions(NULL, icu_allocate, icu_resize, icu_free, &status);
    json_set_alloc_funcs(allocate, free);
}
