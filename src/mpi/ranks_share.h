/* ranks_share.h - what ranks on one host share: directories, memory, cores. */
#ifndef COOC_MPI_RANKS_SHARE_H
#define COOC_MPI_RANKS_SHARE_H

#include "cooc_build.h"

/* Check that all ranks see the same directory and can write there: each writes
 * a file, which is removed again.  All ranks call this. */
int share_directory(const char *dir, const struct cooc_watch *watch,
                    struct cooc_err *err);

/* The number of threads and the memory of a rank, unless the user has set
 * them: an equal share of those of the host. */
unsigned share_threads(unsigned threads);
uint64_t share_memory(uint64_t memory);

/* The number of threads for work that rank 0 does while all other ranks wait:
 * those of all ranks of its host.  If MPI has bound rank 0 to some cores, it
 * may use all cores from now on. */
unsigned share_all_threads(unsigned threads);

#endif
