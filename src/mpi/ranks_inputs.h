/* ranks_inputs.h - check that all ranks see the same inputs. */
#ifndef COOC_MPI_RANKS_INPUTS_H
#define COOC_MPI_RANKS_INPUTS_H

#include "cooc_build.h"

#define INPUTS_LIST "inputs.list"

/* Rank 0: list all inputs in a file of a shared directory; remove the file. */
int inputs_write(const char *dir, const char *const *inputs, size_t n,
                 const struct cooc_index_options *o, struct cooc_err *err);
void inputs_remove(const char *dir);

/* Other ranks: compare the inputs with that list.  The error names the first
 * one that differs. */
int inputs_compare(const char *dir, const char *const *inputs, size_t n,
                   const struct cooc_index_options *o, struct cooc_err *err);

#endif
