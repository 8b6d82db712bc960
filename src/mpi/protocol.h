/* protocol.h - messages between ranks.
 *
 * Every message has the same size and is sent at once (MPI's eager protocol),
 * to or from rank 0.  A rank that waits for a message sleeps between probes,
 * because MPI_Recv() would keep a core busy.
 *
 *     start    HELLO ->        version, host, hash of the arguments
 *              <- WELCOME      accepted
 *     index    <- WELCOME      the number of parts
 *              END ->          the inputs are not those of rank 0
 *     share a  <- LOOK         read the file of rank 0, write another
 *     folder   SEEN ->
 *              <- WELCOME      all ranks see it
 *     work     READY ->        waiting for work
 *              <- ITEM         do this
 *              NEWS ->         share of the item that is done
 *              WARNING ->      a sentence for the user
 *              DONE ->         with the result; waiting for more
 *              FAILED ->       with the error
 *              <- STOP         no more work, or an error: cancel
 *              LEFT ->         with the statistics; no longer working
 *     result   <- RESULT       of the work that only rank 0 does
 *     end      END ->          result of the rank, with its error
 *              <- BYE          result of the job
 */
#ifndef COOC_MPI_PROTOCOL_H
#define COOC_MPI_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/ranks.h"

enum message_kind {
    MSG_HELLO = 1, MSG_WELCOME, MSG_LOOK, MSG_SEEN, MSG_READY, MSG_ITEM,
    MSG_NEWS, MSG_WARNING, MSG_DONE, MSG_FAILED, MSG_STOP, MSG_LEFT,
    MSG_RESULT, MSG_END, MSG_BYE
};

enum { MESSAGE_BYTES = 1024, MESSAGE_NUMBERS = 48, MESSAGE_TEXT = 624 };

struct message {
    enum message_kind kind;
    unsigned from; /* set by message_receive() */
    uint64_t n[MESSAGE_NUMBERS];
    char text[MESSAGE_TEXT]; /* NUL-terminated */
};

/* The job, as this rank sees it. */
struct ranks {
    unsigned rank, size;
    unsigned local;           /* number of ranks on this host */
    bool started;             /* MPI is initialised */
    bool broken;              /* a signal ended the job: other ranks may be
                               * gone, so no more messages */
    bool *ended;              /* rank 0: these ranks have sent MSG_END */
    struct rank_stats *stats; /* rank 0: of all ranks; others: their own */
};
extern struct ranks ranks;

/* The statistics of this rank. */
struct rank_stats *own_stats(void);

/* Return an empty message. */
struct message message_of(enum message_kind kind);

void message_send(unsigned to, const struct message *m);
void message_send_all(const struct message *m); /* to all other ranks */

/* Receive a message if one has arrived. */
bool message_receive(struct message *m);

/* Pack rc and the text of an error, or unpack them.  An error of another rank
 * names it. */
void message_put_error(struct message *m, int rc, const struct cooc_err *err);
int message_get_error(const struct message *m, struct cooc_err *err);

/* Sleep between probes: at first a few microseconds, then longer, at most a
 * millisecond. */
struct nap {
    long ns;
};
long nap_next(struct nap *nap);
void nap_sleep(struct nap *nap);

/* Whether the user has interrupted the program: asks its progress callback,
 * which may be NULL, every 0.1 s.  If so, the job is broken. */
bool ranks_interrupted(const struct cooc_watch *watch,
                       const struct cooc_progress *now);

/* Wait for a message of this kind from rank 0.  COOC_ECANCELLED after a signal;
 * the error of the job if MSG_STOP arrives first. */
int message_await(enum message_kind kind, struct message *m,
                  const struct cooc_watch *watch, struct cooc_err *err);

/* Rank 0: wait for a message of this kind from every other rank, and pass them
 * to got() if it is not NULL.  The error of the first rank that fails. */
int message_collect(enum message_kind kind, const struct cooc_watch *watch,
                    int (*got)(void *self, const struct message *m,
                               struct cooc_err *err),
                    void *self, struct cooc_err *err);

#endif
