/* err.h - fill a struct cooc_err.
 *
 * An error is created where the fact is known, as a sentence for the user, and
 * passed up unchanged:
 *
 *     return err_path(err, COOC_EFORMAT, path, "the footer is damaged");
 *
 * The text says what is wrong and where.  It names neither C functions nor
 * options of the command line: err->option names the field of an options
 * struct, and the program adds its own option for that field (cli/advice.c).
 *
 * Every function returns the code of the error.  err may be NULL.
 */
#ifndef COOC_ERR_H
#define COOC_ERR_H

#include "cooc.h"

#define ERR_FORMAT(fmt) __attribute__((format(printf, fmt, (fmt) + 1)))

/* An error that concerns neither a file nor an option. */
int err_set(struct cooc_err *err, int code, const char *fmt, ...)
    ERR_FORMAT(3);

/* "path: text", about a file or directory.  Only the end of a long path is
 * part of the text. */
int err_path(struct cooc_err *err, int code, const char *path,
             const char *fmt, ...) ERR_FORMAT(4);

/* "path:line: text". */
int err_line(struct cooc_err *err, int code, const char *path, uint64_t line,
             const char *fmt, ...) ERR_FORMAT(5);

/* An error that concerns a field of an options struct: its value is wrong, or
 * another value would help. */
int err_option(struct cooc_err *err, int code, const char *option,
               const char *fmt, ...) ERR_FORMAT(4);

/* "path: text", about a file and an option. */
int err_path_option(struct cooc_err *err, int code, const char *path,
                    const char *option, const char *fmt, ...) ERR_FORMAT(5);

/* Add the option, or errno, to an error that was just created. */
int err_add_option(struct cooc_err *err, int code, const char *option);
int err_add_errno(struct cooc_err *err, int code, int sys_errno);

/* Replace the text of an error; code, path and option are kept.  err must not
 * be NULL. */
int err_reword(struct cooc_err *err, const char *fmt, ...) ERR_FORMAT(2);

/* Pass on an error from another struct, for example that of another thread. */
int err_copy(struct cooc_err *err, const struct cooc_err *from);

/* Make *err empty before a callback of the calling program may fail without
 * filling it. */
static inline void err_clear(struct cooc_err *err)
{
    if (err)
        *err = (struct cooc_err){ 0 };
}

/* Report a failed system call: "path: what: reason", the reason from errno.
 * Stores errno and path in *err.  Returns COOC_ENOTFOUND for ENOENT,
 * COOC_ENOMEM for ENOMEM, COOC_EFULL for ENOSPC and EDQUOT, else COOC_EIO. */
int err_sys(struct cooc_err *err, const char *what, const char *path);

/* Report "out of memory" and return COOC_ENOMEM. */
int err_nomem(struct cooc_err *err);

#endif
