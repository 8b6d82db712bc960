/* err.c - format error messages. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct cooc_err *err, int code, const char *fmt, ...)
{
    va_list ap;

    if (!err)
        return code;
    err->code = code;
    err->sys_errno = 0;
    err->path[0] = err->option[0] = '\0';
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return code;
}

int err_sys(struct cooc_err *err, const char *what, const char *path)
{
    int saved = errno;
    char reason[128];
    const char *text = strerror_r(saved, reason, sizeof reason);
    int code = saved == ENOENT   ? COOC_ENOTFOUND
               : saved == ENOMEM ? COOC_ENOMEM
                                 : COOC_EIO;

    if (saved == ENOSPC || saved == EDQUOT)
        code = err_set(err, COOC_EFULL,
                       "%s: %s: the disk is full; free some space or put the "
                       "store on another disk", path, what);
    else
        err_set(err, code, "%s: %s: %s", path, what, text);
    return err_add_sys(err, code, saved, path);
}

int err_add_sys(struct cooc_err *err, int code, int sys_errno,
                const char *path)
{
    if (err) {
        err->sys_errno = sys_errno;
        snprintf(err->path, sizeof err->path, "%s", path);
    }
    return code;
}

int err_copy(struct cooc_err *err, const struct cooc_err *from)
{
    if (err)
        *err = *from;
    return from->code;
}

int err_nomem(struct cooc_err *err)
{
    return err_set(err, COOC_ENOMEM, "out of memory");
}
