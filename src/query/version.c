/* version.c - the version of the library, and memory owned by its callers. */
#include <string.h>

#include "base/mem.h"
#include "cooc.h"

const char *cooc_version(void)
{
    return COOC_VERSION;
}

unsigned cooc_version_number(void)
{
    return COOC_VERSION_NUMBER;
}

void cooc_init(void *sized_struct, size_t size)
{
    memset(sized_struct, 0, size);
    memcpy(sized_struct, &size, sizeof size);
}

void cooc_free(void *p)
{
    mem_free(p);
}
