/* err.h - make an error where the fact is known, pass it up unchanged.
 *
 * Every function fills *err, unless it is NULL, and returns the code.  A text
 * says what is wrong and where.  It names neither C functions nor options of
 * the command line: the program adds those, by the name of the field of an
 * options struct in err->option (cli/advice.c).
 */
#ifndef COOC_ERR_H
#define COOC_ERR_H

#include "cooc.h"

#define ERR_FORMAT(fmt) __attribute__((format(printf, fmt, (fmt) + 1)))

/* An error that concerns neither a file nor an option. */
int err_set(struct cooc_err *err, int code, const char *fmt, ...)
    ERR_FORMAT(3);

/* "path: text", about a file or directory.  Of a long path, the text shows
 * the end. */
int err_path(struct cooc_err *err, int code, const char *path,
             const char *fmt, ...) ERR_FORMAT(4);

/* "path:line: text". */
int err_line(struct cooc_err *err, int code, const char *path, uint64_t line,
             const char *fmt, ...) ERR_FORMAT(5);

/* An error that concerns a field of an options struct: it is wrong, or setting
 * it would help. */
int err_option(struct cooc_err *err, int code, const char *option,
               const char *fmt, ...) ERR_FORMAT(4);

/* "path: text", with the option as well. */
int err_path_option(struct cooc_err *err, int code, const char *path,
                    const char *option, const char *fmt, ...) ERR_FORMAT(5);

/* Name the option in an error that was just made. */
int err_add_option(struct cooc_err *err, int code, const char *option);

/* The same error with another text: code, path and option are kept. */
int err_reword(struct cooc_err *err, const char *fmt, ...) ERR_FORMAT(2);

/* Pass on an error that was made in another struct, for example by another
 * thread. */
int err_copy(struct cooc_err *err, const struct cooc_err *from);

/* "path: what: reason", the reason from errno; returns COOC_EIO, or
 * COOC_ENOTFOUND when the file does not exist, COOC_ENOMEM for ENOMEM,
 * COOC_EFULL when the disk or a quota is full.  errno and path go to *err. */
int err_sys(struct cooc_err *err, const char *what, const char *path);

/* "out of memory"; returns COOC_ENOMEM. */
int err_nomem(struct cooc_err *err);

#endif
