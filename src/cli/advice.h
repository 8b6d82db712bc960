/* advice.h - how the command line names what would help.
 *
 * The library names neither options nor commands in its messages; it names
 * the field of an options struct in err->option.
 */
#ifndef COOC_ADVICE_H
#define COOC_ADVICE_H

struct cooc_err;

/* Append to the text what to type, if the error names an option.  A second
 * call changes nothing. */
void advice_add(struct cooc_err *err);

#endif
