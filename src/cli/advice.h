/* advice.h - add command-line options to the error messages of the library.
 *
 * The messages of the library mention neither options nor commands; instead,
 * err->option names the field of an options struct.
 */
#ifndef COOC_ADVICE_H
#define COOC_ADVICE_H

struct cooc_err;

/* Append the option that helps to the text if err->option names a field.
 * Calling it again is a no-op. */
void advice_add(struct cooc_err *err);

#endif
