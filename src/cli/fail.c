/* fail.c - make an error where the fact is known. */
#include "cli/fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(struct cooc_err *err, int code, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return code;
    err->code = code;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    return code;
}

int fail_sys(struct cooc_err *err, const char *what, const char *path)
{
    return fail(err, COOC_EIO, "%s %s: %s", what, path, strerror(errno));
}

int fail_nomem(struct cooc_err *err)
{
    return fail(err, COOC_ENOMEM, "out of memory");
}
