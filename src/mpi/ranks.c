/* ranks.c - begin and end an MPI job.
 *
 * MPI_Init() returns on all ranks of a job, but a program that was started by
 * the launcher of another MPI believes that it is alone.  Several such programs
 * would write the same store, so the variables of these launchers are examined.
 * Then each rank describes itself to rank 0, which compares.
 */
#include "mpi/ranks.h"

#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "mpi/protocol.h"

/* Seconds since this process was started, from the boot time of the kernel. */
static double seconds_since_exec(void)
{
    char line[1024] = "", *at;
    FILE *f = fopen("/proc/self/stat", "re");
    unsigned long long ticks = 0;
    struct timespec now;

    if (f && !fgets(line, sizeof line, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    at = strrchr(line, ')'); /* the name may contain anything */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (at)
        ticks = strtoull(at, NULL, 10);
    clock_gettime(CLOCK_BOOTTIME, &now);
    return !ticks ? 0
                  : (double)now.tv_sec + (double)now.tv_nsec * 1e-9 -
                        (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* ---- checks -------------------------------------------------------------- */

/* Whether a launcher has started several processes, according to a variable
 * with their number. */
static int check_alone(struct cooc_err *err)
{
    static const char *const numbers[] = {
        "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS",
        "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *number = getenv(numbers[i]);

        if (number && strtoul(number, NULL, 10) > 1)
            return err_set(err, COOC_EIO,
                           "this process is one of %.20s (%s), but MPI says "
                           "that it is alone; start cooc-mpi with the mpirun "
                           "of Open MPI %d.%d, or under Slurm with srun "
                           "--mpi=pmix", number, numbers[i], OMPI_MAJOR_VERSION,
                           OMPI_MINOR_VERSION);
    }
    return 0;
}

/* FNV-1a: arguments are compared, not secured. */
static uint64_t hash_of(int argc, char **argv)
{
    uint64_t h = 14695981039346656037u;

    for (int i = 1; i < argc; i++)
        for (const char *p = argv[i];; p++) {
            h = (h ^ (unsigned char)*p) * 1099511628211u;
            if (!*p)
                break;
        }
    return h;
}

/* The versions that decide which terms a text has. */
static void versions(char *out, size_t room)
{
    char icu[U_MAX_VERSION_STRING_LENGTH], uni[U_MAX_VERSION_STRING_LENGTH];
    UVersionInfo v;

    u_getVersion(v);
    u_versionToString(v, icu);
    u_getUnicodeVersion(v);
    u_versionToString(v, uni);
    snprintf(out, room, "cooc %s, ICU %s, Unicode %s", cooc_version(), icu,
             uni);
}

static int check_hello(void *self, const struct message *m,
                       struct cooc_err *err)
{
    const struct message *own = self;
    struct rank_stats *s = &ranks.stats[m->from];
    const char *theirs = m->text + HOST_NAME;

    s->rank = m->from;
    memcpy(s->host, m->text, sizeof s->host - 1);
    if (strcmp(theirs, own->text + HOST_NAME) != 0)
        return err_set(err, COOC_EVERSION,
                       "rank %u on %s has %.100s, but rank 0 on %s has %.100s; "
                       "install the same versions on all hosts", m->from,
                       s->host, theirs, ranks.stats[0].host,
                       own->text + HOST_NAME);
    if (m->n[0] != own->n[0])
        return err_set(err, COOC_EINVAL,
                       "rank %u on %s was started with other arguments than "
                       "rank 0; start all ranks with the same command",
                       m->from, s->host);
    return 0;
}

static int introduce(int argc, char **argv, struct cooc_err *err)
{
    struct message m = message_of(MSG_HELLO);
    int rc;

    m.n[0] = hash_of(argc, argv);
    memcpy(m.text, own_stats()->host, HOST_NAME);
    versions(m.text + HOST_NAME, sizeof m.text - HOST_NAME);
    if (ranks.rank) {
        message_send(0, &m);
        return message_await(MSG_WELCOME, &m, NULL, err);
    }
    rc = message_collect(MSG_HELLO, NULL, check_hello, &m, err);
    if (rc == 0) {
        m = message_of(MSG_WELCOME);
        message_send_all(&m);
    }
    return rc;
}

/* ---- begin and end ------------------------------------------------------- */

static int init_mpi(struct cooc_err *err)
{
    int provided = 0, rank = 0, size = 1, local = 1;
    MPI_Comm host;

    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) !=
            MPI_SUCCESS || provided < MPI_THREAD_FUNNELED)
        return err_set(err, COOC_EIO, "MPI cannot be used by a program with "
                                      "threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
                        MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &local);
    MPI_Comm_free(&host);
    ranks.started = true;
    ranks.rank = (unsigned)rank;
    ranks.size = (unsigned)size;
    ranks.local = (unsigned)local;
    ranks.stats = mem_zarray(rank ? 1 : ranks.size, sizeof *ranks.stats);
    ranks.ended = rank ? NULL : mem_zarray(ranks.size, sizeof *ranks.ended);
    return ranks.stats && (rank || ranks.ended) ? 0 : err_nomem(err);
}

int ranks_start(int argc, char **argv, struct cooc_err *err)
{
    struct rank_stats *s;
    int rc = init_mpi(err);

    if (rc < 0) {
        ranks.broken = true;
        return rc;
    }
    s = own_stats();
    s->rank = ranks.rank;
    s->start = seconds_since_exec();
    if (gethostname(s->host, sizeof s->host - 1) < 0)
        snprintf(s->host, sizeof s->host, "unknown");
    if (ranks.size == 1)
        return check_alone(err);
    if (ranks.rank && !freopen("/dev/null", "w", stdout))
        return err_sys(err, "cannot open", "/dev/null");
    return introduce(argc, argv, err);
}

bool ranks_silent(void)
{
    return ranks.rank > 0;
}

const struct rank_stats *ranks_stats(size_t *n)
{
    *n = ranks.stats ? ranks.size : 0;
    return ranks.stats;
}

static int collect_ends(int rc, struct cooc_err *err)
{
    struct message m = message_of(MSG_STOP);
    struct nap nap = { 0 };
    unsigned left = 0;

    m.n[0] = (uint64_t)(int64_t)rc;
    if (rc < 0)
        message_send_all(&m);
    for (unsigned r = 1; r < ranks.size; r++)
        left += !ranks.ended[r];
    while (left) {
        if (!message_receive(&m)) {
            nap_sleep(&nap);
        } else if (m.kind == MSG_END) {
            left--;
            rc = rc < 0 ? rc : message_get_error(&m, err);
        }
    }
    memset(ranks.ended, 0, ranks.size * sizeof *ranks.ended);
    m = message_of(MSG_BYE);
    m.n[0] = (uint64_t)(int64_t)rc;
    message_send_all(&m);
    return rc;
}

int ranks_settle(int rc, struct cooc_err *err)
{
    struct message m = message_of(MSG_END);
    struct nap nap = { 0 };

    if (ranks.broken || ranks.size == 1)
        return rc;
    if (ranks.rank == 0)
        return collect_ends(rc, err);
    message_put_error(&m, rc, err);
    message_send(0, &m);
    while (!message_receive(&m) || m.kind != MSG_BYE)
        nap_sleep(&nap);
    rc = (int)(int64_t)m.n[0];
    *err = (struct cooc_err){ .code = rc };
    return rc;
}

void ranks_end(void)
{
    if (!ranks.started || ranks.broken)
        return;
    /* mpirun sends this to the other ranks when one has exited after a failure,
     * which all ranks are about to do. */
    signal(SIGTERM, SIG_IGN);
    MPI_Finalize();
}
