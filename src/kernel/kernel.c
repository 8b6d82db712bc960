/* kernel.c - choose the inner loops: by name, or the fastest usable ones. */
#include "kernel/kernel.h"

#include <string.h>

#include "base/err.h"

static const struct kernels *const all[] = { &kernel_avx512, &kernel_avx2,
                                           &kernel_scalar };

const struct kernels *kernel_find(const char *name, struct cooc_err *err)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (name && strcmp(name, all[i]->name) != 0)
            continue;
        if (all[i]->usable())
            return all[i];
        if (name) {
            err_option(err, COOC_EINVAL, "kernel",
                       "kernel '%s' is not supported by this CPU", name);
            return NULL;
        }
    }
    err_option(err, COOC_EINVAL, "kernel",
               "unknown kernel '%s'; the kernels are avx512, avx2 "
               "and scalar", name);
    return NULL;
}
