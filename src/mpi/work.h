/* work.h - hand out items of work to all ranks.
 *
 * Rank 0 gives an item to each rank that asks for one.  On every rank, items
 * are done in a second thread, so that the main thread can pass on progress,
 * stop the item after an error elsewhere and, on rank 0, serve the other ranks.
 *
 *     struct work w = { .next = next, .run = run, ... };
 *     struct cooc_watch watch = work_watch(&w);   for the library, in run()
 *
 *     rc = work_run(&w, &err);        all ranks
 *     close what run() has opened
 *     rc = work_leave(&w, rc, &err);  wait until all ranks have come here
 */
#ifndef COOC_MPI_WORK_H
#define COOC_MPI_WORK_H

#include "mpi/protocol.h"

struct item {
    uint64_t first, last; /* meaning chosen by the user of this header */
    uint64_t cost;        /* predicted, in any unit */
};

enum { WORK_RESULTS = MESSAGE_NUMBERS, WARNINGS = 8 };

struct work {
    void *self; /* of the functions */
    /* Rank 0: set *out to the next item for a rank; false if none is left. */
    bool (*next)(void *self, unsigned rank, struct item *out);
    /* All ranks, in the second thread: do an item.  result is passed to
     * done(), with a text of MESSAGE_TEXT bytes. */
    int (*run)(void *self, const struct item *item,
               uint64_t result[WORK_RESULTS], char *text,
               struct cooc_err *err);
    /* Rank 0: an item was done.  May be NULL. */
    void (*done)(void *self, unsigned rank,
                 const uint64_t result[WORK_RESULTS], const char *text);
    const struct cooc_watch *watch; /* of the program; may be NULL */
    struct cooc_progress now;       /* rank 0: phase, unit and total */
    uint64_t cost, cost_done;       /* rank 0: of all items; finished items */

    /* Private. */
    struct worker *worker; /* NULL except in work_run() */
    struct peer *peers;
    int rc;
    struct cooc_err err;
    bool stopping;
};

/* Hooks for calls of the library: outside of work_run(), they are those of the
 * program; within, they pass on progress and warnings. */
struct cooc_watch work_watch(struct work *w);

/* Do all items.  Returns the error of the rank that fails first; ranks other
 * than 0 have no text if it was another rank. */
int work_run(struct work *w, struct cooc_err *err);

/* rc is the result so far.  Rank 0 returns when all ranks have left. */
int work_leave(struct work *w, int rc, struct cooc_err *err);

/* Rank 0 passes its result to the other ranks, which wait for it. */
int work_agree(struct work *w, int rc, struct cooc_err *err);

#endif
