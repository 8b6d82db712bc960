/* ranks_share.c - check that a directory is shared; divide memory and cores.
 *
 * Rank 0 writes a file with a random name, which no rank has looked up before,
 * so that no network file system has cached its absence.  Each other rank reads
 * it and writes one with its own number, which rank 0 reads.  The names are
 * hidden, and are those of temporary files in a store (base/recognise.h).
 */
#include "mpi/ranks_share.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/watch.h"
#include "mpi/protocol.h"

enum { PATIENCE = 30 }; /* tenths of a second */

struct look {
    const char *dir;
    uint64_t nonce;
};

static int name_of(struct buf *path, const struct look *k, unsigned rank,
                   struct cooc_err *err)
{
    path->len = 0;
    return buf_printf(path, err, "%s/.tmp-mpi-%016" PRIx64 "-%u", k->dir,
                      k->nonce, rank);
}

static int write_own(const struct look *k, struct cooc_err *err)
{
    struct buf path = { 0 };
    int rc = name_of(&path, k, ranks.rank, err), fd;

    if (rc == 0) {
        fd = file_create(path.data, 0);
        rc = fd < 0 ? err_sys(err, "cannot write to the directory", k->dir)
                    : file_write(fd, &k->nonce, sizeof k->nonce, path.data,
                                 err);
        if (fd >= 0)
            close(fd);
    }
    buf_release(&path);
    return rc;
}

static void remove_of(const struct look *k, unsigned rank)
{
    struct buf path = { 0 };

    if (name_of(&path, k, rank, NULL) == 0)
        unlink(path.data);
    buf_release(&path);
}

/* Whether this rank sees the file of another rank, within a few seconds: a
 * network file system may have cached the absence of the directory. */
static bool sees(const struct look *k, unsigned rank)
{
    struct buf path = { 0 };
    bool there = false;

    if (name_of(&path, k, rank, NULL) == 0)
        for (int i = 0; i < PATIENCE && !there; i++) {
            if (i)
                nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
            there = access(path.data, R_OK) == 0;
        }
    buf_release(&path);
    return there;
}

static int err_unshared(unsigned sees_not, unsigned rank, const char *dir,
                        struct cooc_err *err)
{
    return err_path(err, COOC_EIO, dir,
                    "rank %u on %s does not see what rank %u on %s writes to "
                    "this directory; use a file system that all hosts mount "
                    "under the same name", sees_not,
                    ranks.stats[sees_not].host, rank, ranks.stats[rank].host);
}

static int check_seen(void *self, const struct message *m,
                      struct cooc_err *err)
{
    const struct look *k = self;
    int rc = message_get_error(m, err);

    if (rc == 0 && !m->n[1])
        rc = err_unshared(m->from, 0, k->dir, err);
    if (rc == 0 && !sees(k, m->from))
        rc = err_unshared(0, m->from, k->dir, err);
    remove_of(k, m->from);
    return rc;
}

static int look_as_other(struct look *k, const struct cooc_watch *watch,
                         struct cooc_err *err)
{
    struct message m;
    struct cooc_err own = { 0 };
    int rc = message_await(MSG_LOOK, &m, watch, err);

    if (rc < 0)
        return rc;
    k->nonce = m.n[0];
    m = message_of(MSG_SEEN);
    m.n[1] = sees(k, 0);
    if (m.n[1])
        message_put_error(&m, write_own(k, &own), &own);
    message_send(0, &m);
    return message_await(MSG_WELCOME, &m, watch, err);
}

int share_directory(const char *dir, const struct cooc_watch *watch,
                    struct cooc_err *err)
{
    struct message m = message_of(MSG_LOOK);
    struct look k = { .dir = dir };
    int rc;

    if (ranks.rank)
        return look_as_other(&k, watch, err);
    if (getrandom(&k.nonce, sizeof k.nonce, 0) < 0)
        return err_sys(err, "cannot read random bytes", dir);
    rc = write_own(&k, err);
    if (rc == 0) {
        m.n[0] = k.nonce;
        message_send_all(&m);
        rc = message_collect(MSG_SEEN, watch, check_seen, &k, err);
    }
    if (rc == 0) {
        m = message_of(MSG_WELCOME);
        message_send_all(&m);
    }
    remove_of(&k, 0);
    return rc;
}

unsigned share_threads(unsigned threads)
{
    unsigned mine = pool_cores(); /* of the cores that MPI binds us to */
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned part = all > 0 ? (unsigned)all / ranks.local : 1;

    return threads ? threads : part < 1 ? 1 : part < mine ? part : mine;
}

uint64_t share_memory(uint64_t memory)
{
    return memory ? memory : memory_half() / ranks.local;
}

unsigned share_all_threads(unsigned threads)
{
    unsigned wanted = share_threads(threads) * ranks.local;
    cpu_set_t all;

    CPU_ZERO(&all);
    for (int i = 0; i < CPU_SETSIZE; i++)
        CPU_SET(i, &all);
    sched_setaffinity(0, sizeof all, &all); /* of those that we may use */
    return wanted < pool_cores() ? wanted : pool_cores();
}
