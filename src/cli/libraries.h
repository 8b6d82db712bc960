/* libraries.h - what other people's libraries are told at the start.
 *
 * Without memory ICU loses its way: it splits words otherwise and tells
 * nobody, loops for ever, or crashes.  It takes an allocator from the
 * program, so ours does not return without memory.  And libxml2 prints what
 * it thinks of a page; here only main() prints.
 */
#ifndef COOC_LIBRARIES_H
#define COOC_LIBRARIES_H

/* Before anything else of them is used. */
void libraries_prepare(void);

#endif
