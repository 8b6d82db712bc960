/* libraries.h - what other people's libraries are told at the start.
 *
 * Without memory ICU splits words otherwise and tells nobody, loops for ever,
 * or crashes; jansson leaves a letter out of a string.  They take their
 * allocator from the program, so ours does not return without memory.
 */
#ifndef COOC_LIBRARIES_H
#define COOC_LIBRARIES_H

/* Before anything else of them is used. */
void libraries_prepare(void);

#endif
