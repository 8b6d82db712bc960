/* sized.c - copy public structs that begin with their size. */
#include "base/sized.h"

#include <string.h>

#include "base/err.h"

#define SIZE_MAX_SENSIBLE ((size_t)1 << 16)

static size_t size_of(const void *given)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    return size;
}

int sized_check(const void *given, const char *what, struct cooc_err *err)
{
    if (given && (size_of(given) < sizeof(size_t) ||
                  size_of(given) > SIZE_MAX_SENSIBLE))
        return err_set(err, COOC_EINVAL,
                       "%s: size is %zu; initialise the struct with its macro "
                       "before use", what, size_of(given));
    return 0;
}

int sized_read(void *own, size_t own_size, const void *given, const char *what,
               struct cooc_err *err)
{
    const char *bytes = given;
    size_t size;
    int rc = sized_check(given, what, err);

    memset(own, 0, own_size);
    if (rc < 0)
        return rc;
    size = given ? size_of(given) : 0;
    for (size_t i = own_size; i < size; i++)
        if (bytes[i])
            return err_set(err, COOC_EINVAL,
                           "%s: a field is set that version " COOC_VERSION " "
                           "of the library does not support", what);
    if (given)
        memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return 0;
}

void sized_write(void *given, const void *own, size_t own_size)
{
    const size_t head = sizeof(size_t);
    size_t size = given ? size_of(given) : 0;

    if (sized_check(given, "", NULL) < 0)
        return;
    if (size > own_size)
        size = own_size;
    if (size > head)
        memcpy((char *)given + head, (const char *)own + head, size - head);
}
