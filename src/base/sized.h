/* sized.h - structs that begin with their size.
 *
 * A program and the library may have been compiled with different versions of
 * a public struct, in which later versions have more fields at the end.  Its
 * first field, size_t size, is the size that the program knows.  The library
 * works on a struct of its own and copies at the border, so it never reads or
 * writes past the program's struct.
 */
#ifndef COOC_SIZED_H
#define COOC_SIZED_H

#include <stddef.h>

struct cooc_err;

/* Copy *given into own[0..own_size); fields that the program does not know are
 * zero, which is their default, and so is everything if given is NULL.
 * COOC_EINVAL if the size was not set, or if the program has set a field that
 * the library does not know.  what names the struct in messages. */
int sized_read(void *own, size_t own_size, const void *given, const char *what,
               struct cooc_err *err);

/* COOC_EINVAL if given, unless NULL, has no size. */
int sized_check(const void *given, const char *what, struct cooc_err *err);

/* Copy own into *given, unless that is NULL, as far as it reaches. */
void sized_write(void *given, const void *own, size_t own_size);

#endif
