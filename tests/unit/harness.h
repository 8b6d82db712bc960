/* harness.h - cmocka and what every unit test needs. */
#ifndef COOC_HARNESS_H
#define COOC_HARNESS_H


#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cooc.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof(a)[0])

/* Fail with the library's error message if rc is not want. */
#define CHECK_RC(rc, want, err)                                              \
    do {                                                                     \
        int got_ = (rc);                                                     \
        if (got_ != (want))                                                  \
            fail_msg("returned %d, expected %d: %s", got_, (want),           \
                     (err)->text);                                           \
    } while (0)

/* A new directory below $TMPDIR; remove it with drop_dir(). */
static inline char *fresh_dir(void)
{
    const char *base = getenv("TMPDIR");
    char *path = NULL;

    if (asprintf(&path, "%s/cooc-test-XXXXXX", base ? base : "/tmp") < 0 ||
        !mkdtemp(path))
        fail_msg("cannot create a temporary directory");
    return path;
}

static inline void drop_dir(char *path)
{
    char cmd[4200];

    snprintf(cmd, sizeof cmd, "rm -rf -- '%s'", path);
    if (system(cmd) != 0)
        print_message("could not remove %s\n", path);
    free(path);
}

#endif
