/* libraries.c - an allocator for ICU that does not fail, and silence.
 *
 * To end at once is safe: nothing on disk looks finished before it is, and
 * the next run removes what a killed one has left.  The library does not do
 * this: what ends a process, or is set for all of it, is the program's.
 */
#include "cli/libraries.h"

#include <libxml/xmlerror.h>
#include <stdlib.h>
#include <unicode/uclean.h>
#include <unistd.h>

static void *some(void *p, size_t n)
{
    static const char text[] = "cooc: out of memory while telling words "
                               "apart; free some or limit cooc to less with "
                               "--memory\n";

    if (p || !n)
        return p;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

static void *U_CALLCONV allocate(const void *context, size_t n)
{
    (void)context;
    return some(malloc(n), n);
}

static void *U_CALLCONV resize(const void *context, void *old, size_t n)
{
    (void)context;
    return some(realloc(old, n), n);
}

static void U_CALLCONV release(const void *context, void *p)
{
    (void)context;
    free(p);
}

static void say_nothing(void *self, const char *format, ...)
{
    (void)self;
    (void)format;
}

void libraries_prepare(void)
{
    UErrorCode status = U_ZERO_ERROR;

    u_setMemoryFunctions(NULL, allocate, resize, release, &status);
    xmlSetGenericErrorFunc(NULL, say_nothing);
    xmlThrDefSetGenericErrorFunc(NULL, say_nothing); /* of other threads */
}
