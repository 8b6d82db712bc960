/* err.c - error messages. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SHOWN = 300 }; /* maximum bytes of a path in a message */

/* Begin the message with the path; of a path longer than PATH_SHOWN bytes, only
 * its last whole characters.  Returns the length of the message so far. */
static size_t begin_path(struct cooc_err *err, const char *path, uint64_t line)
{
    size_t len = strlen(path);
    const char *shown = path;

    snprintf(err->path, sizeof err->path, "%s", path);
    if (len > PATH_SHOWN) {
        shown += len - PATH_SHOWN;
        while (((unsigned char)*shown & 0xc0) == 0x80)
            shown++;
    }
    len = (size_t)snprintf(err->text, sizeof err->text, "%s%s:",
                           shown > path ? "..." : "", shown);
    len += (size_t)(line ? snprintf(err->text + len, sizeof err->text - len,
                                    "%llu: ", (unsigned long long)line)
                         : snprintf(err->text + len, sizeof err->text - len,
                                    " "));
    return len;
}

/* Set all fields of *err and return code.  err, path and option may be NULL,
 * line may be 0. */
static int fill(struct cooc_err *err, int code, const char *path,
                uint64_t line, const char *option, const char *fmt, va_list ap)
{
    size_t used = 0;

    if (!err)
        return code;
    err->code = code;
    err->sys_errno = 0;
    err->path[0] = '\0';
    if (path)
        used = begin_path(err, path, line);
    snprintf(err->option, sizeof err->option, "%s", option ? option : "");
    vsnprintf(err->text + used, sizeof err->text - used, fmt, ap);
    return code;
}

#define FILL(path, line, option)                                             \
    do {                                                                     \
        va_list ap;                                                          \
                                                                             \
        va_start(ap, fmt);                                                   \
        fill(err, code, path, line, option, fmt, ap);                        \
        va_end(ap);                                                          \
        return code;                                                         \
    } while (0)

int err_set(struct cooc_err *err, int code, const char *fmt, ...)
{
    FILL(NULL, 0, NULL);
}

int err_path(struct cooc_err *err, int code, const char *path,
             const char *fmt, ...)
{
    FILL(path, 0, NULL);
}

int err_line(struct cooc_err *err, int code, const char *path, uint64_t line,
             const char *fmt, ...)
{
    FILL(path, line, NULL);
}

int err_option(struct cooc_err *err, int code, const char *option,
               const char *fmt, ...)
{
    FILL(NULL, 0, option);
}

int err_path_option(struct cooc_err *err, int code, const char *path,
                    const char *option, const char *fmt, ...)
{
    FILL(path, 0, option);
}

int err_add_option(struct cooc_err *err, int code, const char *option)
{
    if (err)
        snprintf(err->option, sizeof err->option, "%s", option);
    return code;
}

int err_add_errno(struct cooc_err *err, int code, int sys_errno)
{
    if (err)
        err->sys_errno = sys_errno;
    return code;
}

int err_reword(struct cooc_err *err, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return err->code;
}

int err_copy(struct cooc_err *err, const struct cooc_err *from)
{
    if (err)
        *err = *from;
    return from->code;
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
        code = err_path(err, COOC_EFULL, path,
                        "%s: the disk is full; free some space or use another "
                        "disk", what);
    else
        err_path(err, code, path, "%s: %s", what, text);
    return err_add_errno(err, code, saved);
}

int err_nomem(struct cooc_err *err)
{
    return err_set(err, COOC_ENOMEM, "out of memory");
}
