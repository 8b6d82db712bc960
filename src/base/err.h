/* err.h - make an error where the fact is known, pass it up unchanged. */
#ifndef COOC_ERR_H
#define COOC_ERR_H

#include "cooc.h"

/* Fill *err (if not NULL) and return code. */
int err_set(struct cooc_err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "what: path: reason", the reason from errno; returns COOC_EIO, or
 * COOC_ENOTFOUND when the file does not exist, COOC_ENOMEM for ENOMEM,
 * COOC_EFULL when the disk or a quota is full.  errno and path go to *err. */
int err_sys(struct cooc_err *err, const char *what, const char *path);

/* Add errno and path to an error that err_set() has just made with this code;
 * returns the code. */
int err_add_sys(struct cooc_err *err, int code, int sys_errno,
                const char *path);

/* Copy an error with all it says; returns its code. */
int err_copy(struct cooc_err *err, const struct cooc_err *from);

/* "out of memory"; returns COOC_ENOMEM. */
int err_nomem(struct cooc_err *err);

#endif
