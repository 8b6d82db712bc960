/* fail.h - make an error where the fact is known, pass it up unchanged.
 *
 * The command line's own errors have the library's type, so that main has
 * one thing to print.  COOC_EINVAL is wrong usage and ends with status 2.
 */
#ifndef COOC_CLI_FAIL_H
#define COOC_CLI_FAIL_H

#include "cooc.h"

/* Fill *err (if not NULL) and return code. */
int fail(struct cooc_err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "what path: reason", the reason from errno; returns COOC_EIO. */
int fail_sys(struct cooc_err *err, const char *what, const char *path);

/* "out of memory"; returns COOC_ENOMEM. */
int fail_nomem(struct cooc_err *err);

#endif
