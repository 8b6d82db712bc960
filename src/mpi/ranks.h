/* ranks.h - index and count with all ranks of an MPI job.
 *
 * Each rank executes the same program: ranks_start(), then ranks_index() or
 * ranks_count() or both, with the same arguments, then ranks_settle() and
 * ranks_end().  Rank 0 hands out work, works itself, and is the only rank that
 * reports progress, results and errors; the other ranks pass their errors to
 * it.  Data is exchanged through the shared file system, so the messages are
 * few and small (protocol.h).
 *
 * MPI is called from the main thread only, and only in these functions.
 */
#ifndef COOC_MPI_RANKS_H
#define COOC_MPI_RANKS_H

#include "cooc_build.h"

enum { HOST_NAME = 64 };

/* What a rank has done, so far. */
struct rank_stats {
    uint64_t rank;
    char host[HOST_NAME];
    uint64_t threads;       /* that work */
    uint64_t items;         /* number of times it was given work */
    uint64_t units;         /* parts of the index and units of rows made */
    uint64_t messages, bytes; /* sent */
    double busy, waiting;   /* seconds: working, waiting for work */
    double start;           /* seconds from exec to the end of MPI_Init() */
};

/* Initialise MPI and check that all ranks run the same program. */
int ranks_start(int argc, char **argv, struct cooc_err *err);

/* Whether this is a rank other than 0; false before ranks_start(). */
bool ranks_silent(void);

/* As cooc_index() and cooc_count(), with these differences, whatever the number
 * of ranks: parts and standard input are refused, a counted store is not
 * counted again, and with replace, finished parts of an earlier job are not
 * used.  The report is filled on rank 0 only.  If one rank fails, all of them
 * stop, and all return the same code. */
int ranks_index(const char *const *inputs, size_t n, const char *store,
                const struct cooc_index_options *options,
                struct cooc_index_report *report, struct cooc_err *err);
int ranks_count(const char *store, const struct cooc_count_options *options,
                struct cooc_count_report *report, struct cooc_err *err);

/* Exchange the results: returns rc, or the failure of another rank.  Rank 0 has
 * the error of the rank that failed first; other ranks have no text. */
int ranks_settle(int rc, struct cooc_err *err);

/* End MPI, or leave at once if the job is being killed. */
void ranks_end(void);

/* The statistics of all ranks, on rank 0. */
const struct rank_stats *ranks_stats(size_t *n);

#endif
