/* protocol.c - send and receive messages between ranks; see protocol.h.
 *
 * Numbers are sent in little-endian order as bytes, so ranks of any byte order
 * understand each other.
 */
#include "mpi/protocol.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/watch.h"

_Static_assert(8 + 8 * MESSAGE_NUMBERS + MESSAGE_TEXT <= MESSAGE_BYTES,
               "a message is too small");

static const long NAP_FIRST = 10000, NAP_LONGEST = 1000000; /* ns */

struct ranks ranks = { .size = 1, .local = 1 };

struct rank_stats *own_stats(void)
{
    return ranks.stats;
}

struct message message_of(enum message_kind kind)
{
    return (struct message){ .kind = kind };
}

void message_send(unsigned to, const struct message *m)
{
    uint8_t bytes[MESSAGE_BYTES] = { 0 };

    if (ranks.broken)
        return;
    put_le64(bytes, m->kind);
    for (size_t i = 0; i < MESSAGE_NUMBERS; i++)
        put_le64(bytes + 8 + 8 * i, m->n[i]);
    memcpy(bytes + 8 + 8 * MESSAGE_NUMBERS, m->text, MESSAGE_TEXT);
    MPI_Send(bytes, MESSAGE_BYTES, MPI_BYTE, (int)to, (int)m->kind,
             MPI_COMM_WORLD);
    own_stats()->messages++;
    own_stats()->bytes += MESSAGE_BYTES;
}

void message_send_all(const struct message *m)
{
    for (unsigned to = 0; to < ranks.size; to++)
        if (to != ranks.rank && !(ranks.ended && ranks.ended[to]))
            message_send(to, m);
}

/* Receive a message with this tag, which is its kind. */
static bool receive(int tag, struct message *m)
{
    uint8_t bytes[MESSAGE_BYTES];
    MPI_Status status;
    int there = 0;

    if (ranks.broken || ranks.size == 1)
        return false;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    MPI_Recv(bytes, MESSAGE_BYTES, MPI_BYTE, status.MPI_SOURCE,
             status.MPI_TAG, MPI_COMM_WORLD, &status);
    *m = (struct message){ .kind = (enum message_kind)get_le64(bytes),
                           .from = (unsigned)status.MPI_SOURCE };
    for (size_t i = 0; i < MESSAGE_NUMBERS; i++)
        m->n[i] = get_le64(bytes + 8 + 8 * i);
    memcpy(m->text, bytes + 8 + 8 * MESSAGE_NUMBERS, MESSAGE_TEXT);
    m->text[MESSAGE_TEXT - 1] = '\0';
    return true;
}

bool message_receive(struct message *m)
{
    return receive(MPI_ANY_TAG, m);
}

/* Other messages may have arrived before: a rank that has answered goes on. */
static bool receive_either(enum message_kind a, enum message_kind b,
                           struct message *m)
{
    return receive((int)a, m) || receive((int)b, m);
}

void message_put_error(struct message *m, int rc, const struct cooc_err *err)
{
    m->n[0] = (uint64_t)(int64_t)rc;
    if (rc < 0) {
        snprintf(m->text, sizeof m->text - sizeof err->option, "%s",
                 err->text);
        snprintf(m->text + MESSAGE_TEXT - sizeof err->option,
                 sizeof err->option, "%s", err->option);
    }
}

int message_get_error(const struct message *m, struct cooc_err *err)
{
    int rc = (int)(int64_t)m->n[0];

    if (rc >= 0)
        return 0;
    if (!*m->text)
        err_set(err, rc, "%s", "");
    else
        err_set(err, rc, "rank %u on %s: %s", m->from,
                ranks.rank == 0 ? ranks.stats[m->from].host : "another host",
                m->text);
    return err_add_option(err, rc, m->text + MESSAGE_TEXT -
                                       sizeof err->option);
}

long nap_next(struct nap *nap)
{
    nap->ns = nap->ns ? nap->ns * 2 : NAP_FIRST;
    if (nap->ns > NAP_LONGEST)
        nap->ns = NAP_LONGEST;
    return nap->ns;
}

void nap_sleep(struct nap *nap)
{
    nanosleep(&(struct timespec){ .tv_nsec = nap_next(nap) }, NULL);
}

bool ranks_interrupted(const struct cooc_watch *watch,
                       const struct cooc_progress *now)
{
    static double asked;
    double time = clock_seconds();

    if (!ranks.broken && watch && watch->progress && time - asked > 0.1) {
        asked = time;
        ranks.broken = watch->progress(watch->self, now) != 0;
    }
    return ranks.broken;
}

static const struct cooc_progress waiting = {
    .size = sizeof waiting, .phase = "waiting for other ranks",
    .unit = "ranks", .share = -1,
};

int message_await(enum message_kind kind, struct message *m,
                  const struct cooc_watch *watch, struct cooc_err *err)
{
    struct nap nap = { 0 };

    while (!ranks_interrupted(watch, &waiting)) {
        if (!receive_either(kind, MSG_STOP, m))
            nap_sleep(&nap);
        else if (m->kind == kind)
            return 0;
        else
            return message_get_error(m, err);
    }
    return err_set(err, COOC_ECANCELLED, "interrupted");
}

int message_collect(enum message_kind kind, const struct cooc_watch *watch,
                    int (*got)(void *self, const struct message *m,
                               struct cooc_err *err),
                    void *self, struct cooc_err *err)
{
    unsigned left = ranks.size - 1;
    struct nap nap = { 0 };
    struct message m;
    int rc = 0;

    for (unsigned r = 1; r < ranks.size; r++)
        left -= ranks.ended[r];
    while (left && rc == 0 && !ranks_interrupted(watch, &waiting)) {
        if (!receive_either(kind, MSG_END, &m)) {
            nap_sleep(&nap);
        } else if (m.kind == MSG_END) {
            ranks.ended[m.from] = true;
            rc = message_get_error(&m, err);
            left--;
        } else {
            rc = got ? got(self, &m, err) : 0;
            left--;
            nap.ns = 0;
        }
    }
    return ranks.broken ? err_set(err, COOC_ECANCELLED, "interrupted") : rc;
}
