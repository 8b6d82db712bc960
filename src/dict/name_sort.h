/* name_sort.h - sort the terms of a dictionary by name.
 *
 * Cost       About 16 passes over 16 bytes per term, plus a look at the text of
 *            terms that agree in their first 8 bytes.  Memory: 36 bytes per
 *            term.
 */
#ifndef COOC_NAME_SORT_H
#define COOC_NAME_SORT_H

#include <stdint.h>

struct cooc_err;
struct dict;

/* Set *order to a new array with all ids of d in byte order of their terms.
 * The caller frees it with mem_free(). */
int name_sort(const struct dict *d, uint32_t **order, struct cooc_err *err);

#endif
