/* methods.c - the list of counting methods; the first is the default. */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "count/method.h"

const struct count_method *const count_methods[] = {
    &count_bit_scan,   &count_list_scan,  &count_list_blocks,
    &count_list_pairs, &count_multi_scan, &count_naive,
    NULL,
};

const struct cooc_method *cooc_method_get(unsigned i)
{
    if (i >= sizeof count_methods / sizeof *count_methods - 1)
        return NULL;
    return &count_methods[i]->about;
}

const struct count_method *count_method_find(const char *name,
                                             struct cooc_err *err)
{
    char known[128] = "";

    if (!name)
        return count_methods[0];
    for (size_t i = 0; count_methods[i]; i++) {
        const char *this = count_methods[i]->about.name;

        if (!strcmp(this, name))
            return count_methods[i];
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, this, sizeof known - strlen(known) - 1);
    }
    err_option(err, COOC_EINVAL, "method",
               "unknown method '%s'; the methods are %s", name, known);
    return NULL;
}
