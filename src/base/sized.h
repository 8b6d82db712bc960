/* sized.h - copy public structs that begin with their size.
 *
 * A program and the library may have been compiled with different versions of a
 * public struct; later versions have more fields at the end.  The first field,
 * size_t size, is the size that the program was compiled with.  The library
 * works on its own copy, so it never reads or writes beyond the struct of the
 * program.
 */
#ifndef COOC_SIZED_H
#define COOC_SIZED_H

#include <stddef.h>

struct cooc_err;

/* Copy *given into own[0..own_size).  Fields that the program does not know are
 * set to zero, their default; if given is NULL, all fields are.  COOC_EINVAL if
 * the size was not set, or if the program has set a field that the library does
 * not know.  what is the name of the struct in messages. */
int sized_read(void *own, size_t own_size, const void *given, const char *what,
               struct cooc_err *err);

/* COOC_EINVAL if given is not NULL and its size was not set. */
int sized_check(const void *given, const char *what, struct cooc_err *err);

/* Copy the fields of own that *given has room for.  No-op if given is NULL. */
void sized_write(void *given, const void *own, size_t own_size);

#endif
