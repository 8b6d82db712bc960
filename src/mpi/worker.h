/* worker.h - the thread of a rank that does items. */
#ifndef COOC_MPI_WORKER_H
#define COOC_MPI_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "mpi/work.h"

struct worker {
    struct work *w;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { WORKER_IDLE, WORKER_BUSY, WORKER_DONE, WORKER_QUIT } state;
    struct item item;
    uint64_t result[WORK_RESULTS];
    char text[MESSAGE_TEXT];
    int rc;
    struct cooc_err err;
    atomic_bool stop;
    double share;  /* of the item that is done */
    size_t n_warnings;
    char warnings[WARNINGS][MESSAGE_TEXT];
    double since;  /* start of being busy or idle */
};

/* Start the thread.  Call worker_end() even if this fails. */
int worker_start(struct worker *k, struct work *w, struct cooc_err *err);
/* Stop the item, wait for the thread and end it. */
void worker_end(struct worker *k);

/* Begin an item; the worker must be idle. */
void worker_give(struct worker *k, const struct item *item);

/* Whether an item is finished.  If so, set *rc, and the worker becomes idle. */
bool worker_finished(struct worker *k, int *rc);

/* Whether the worker is idle. */
bool worker_idle(struct worker *k);

/* Return the share of the current item that is done. */
double worker_share(struct worker *k);

/* Take a warning of the library; false if there is none. */
bool worker_warning(struct worker *k, char text[MESSAGE_TEXT]);

/* Sleep until the item is finished, or a short time. */
void worker_nap(struct worker *k, struct nap *nap);

#endif
