/* err.h - fill a struct cooc_err.
 *
 * An error is created where the fact is known, as a sentence for the user, and
 * passed up unchanged:
 *
 *     return err_set(err, COOC_EFORMAT, "%s: the footer is damaged", path);
 *
 * err may be NULL in all functions.
 */
#ifndef COOC_ERR_H
#define COOC_ERR_H

#include "cooc.h"

/* Fill *err and return code. */
int err_set(struct cooc_err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Report a failed system call: "path: what: reason", the reason from errno.
 * Stores errno and path in *err.  Returns COOC_ENOTFOUND for ENOENT,
 * COOC_ENOMEM for ENOMEM, COOC_EFULL for ENOSPC and EDQUOT, else COOC_EIO. */
int err_sys(struct cooc_err *err, const char *what, const char *path);

/* Add errno and path to an error that err_set() has just made with this code;
 * returns the code. */
int err_add_sys(struct cooc_err *err, int code, int sys_errno,
                const char *path);

/* Copy an error with all it says; returns its code. */
int err_copy(struct cooc_err *err, const struct cooc_err *from);

/* Report "out of memory" and return COOC_ENOMEM. */
int err_nomem(struct cooc_err *err);

#endif
