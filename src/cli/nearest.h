/* nearest.h - "did you mean": the known name nearest to a mistyped one. */
#ifndef COOC_CLI_NEAREST_H
#define COOC_CLI_NEAREST_H

#include <stddef.h>

#define NEAREST_LEN 63 /* longer names are never suggested */

struct nearest {
    const char *word;
    const char *best; /* NULL: nothing near enough */
    size_t distance;
};

/* Start with the mistyped word; then offer it every known name. */
void nearest_init(struct nearest *n, const char *word);
void nearest_try(struct nearest *n, const char *name);

/* Letters to insert, delete, replace or swap to get from a to b. */
size_t edit_distance(const char *a, const char *b);

#endif
