/* nomem.c - every allocation of a process fails once.
 *
 *     nomem DIR STRIDE FIRST INPUT...
 *
 * The program has its own malloc(), calloc() and realloc(), which the
 * libraries it is linked with call too: libcooc, ICU, jansson and the
 * libraries for compression.  For each input and n = FIRST, FIRST + STRIDE,
 * ... a child process calls cooc_global_init(), indexes and counts the input,
 * opens the store and asks for all pairs, and the n-th allocation fails.  It
 * ends when a run needs fewer than n.  Each run must give the right result or
 * COOC_ENOMEM; then the same process does it again, and must get the right
 * result.
 *
 * Prints one line per input: name, allocations, number of runs that gave the
 * right result, COOC_ENOMEM, and anything else: another result or error, a
 * crash, ten seconds without an end, or output on standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cooc_build.h"

#define SECONDS 10

/* ---- allocations that fail ---------------------------------------------- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);
void *__libc_memalign(size_t align, size_t n);

static atomic_ulong calls, fail_at;

static bool refuse(void)
{
    if (atomic_fetch_add(&calls, 1) + 1 != atomic_load(&fail_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n)
{
    return refuse() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return refuse() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
    return refuse() ? NULL : __libc_realloc(old, n);
}

void *aligned_alloc(size_t align, size_t n)
{
    return refuse() ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **out, size_t align, size_t n)
{
    void *p = refuse() ? NULL : __libc_memalign(align, n);

    if (p)
        *out = p;
    return p ? 0 : ENOMEM;
}

/* ---- one run ------------------------------------------------------------ */

/* The result of a child process; shared with it. */
struct found {
    int rc;
    unsigned long calls;
    uint64_t sum; /* of all terms and counts */
    struct cooc_err err;
    bool again;   /* the second time was right, or not tried */
};

static struct found *found;
static const char *dir;

static uint64_t mix(uint64_t sum, uint64_t v)
{
    sum = (sum ^ v) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static int add_term(struct cooc *db, uint32_t t, uint64_t *sum,
                    struct cooc_err *err)
{
    const char *name;
    size_t len;
    int rc = cooc_term_name(db, t, &name, &len, err);

    for (size_t i = 0; i < len && rc == 0; i++)
        *sum = mix(*sum, (unsigned char)name[i]);
    for (uint32_t u = 0; u < t && rc == 0; u++) {
        struct cooc_pair pair;

        rc = cooc_pair_get(db, u, t, &pair, err);
        if (rc == 0)
            *sum = mix(mix(mix(*sum, pair.count), pair.fx), pair.fy);
    }
    return rc;
}

static int query(const char *store, uint64_t *sum, struct cooc_err *err)
{
    struct cooc_info info = COOC_INFO;
    struct cooc *db = NULL;
    int rc = cooc_open(&db, store, err);

    if (rc == 0)
        rc = cooc_info_get(db, &info, err);
    if (rc == 0)
        *sum = mix(mix(info.documents, info.terms), info.pairs);
    for (uint32_t t = 0; t < info.terms && rc == 0; t++)
        rc = add_term(db, t, sum, err);
    cooc_close(db);
    return rc;
}

static int build_and_query(const char *input, uint64_t *sum,
                           struct cooc_err *err)
{
    struct cooc_index_options index = COOC_INDEX_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    char store[1000];
    int rc;

    snprintf(store, sizeof store, "%s/n.cooc", dir);
    index.threads = count.threads = 1;
    index.replace = true;
    if (strstr(input, ".xml"))
        index.record = "doc";
    if (strstr(input, ".csv"))
        index.text_fields = "text";
    if (strstr(input, "rows.csv")) {
        index.group_by = "id";
        index.split = "none";
        index.memory = 16 << 20;
    }
    rc = cooc_global_init(0, err);
    if (rc == 0)
        rc = cooc_index(&input, 1, store, &index, NULL, err);
    if (rc == 0)
        rc = cooc_count(store, &count, NULL, err);
    if (rc == 0)
        rc = query(store, sum, err);
    return rc;
}

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *where)
{
    (void)st;
    (void)kind;
    return where->level ? remove(path) : 0;
}

static void child(const char *input, unsigned long n, uint64_t want)
{
    struct cooc_err err = { 0 };
    uint64_t sum = 0;

    alarm(SECONDS);
    atomic_store(&calls, 0);
    atomic_store(&fail_at, n);
    found->rc = build_and_query(input, &found->sum, &found->err);
    found->calls = atomic_load(&calls);
    found->again = true;
    if (n && found->rc < 0) {
        int rc = build_and_query(input, &sum, &err);

        found->again = rc == 0 && sum == want;
    }
}

/* A file for what is written to standard error. */
static int silence(void)
{
    char path[1000];
    int fd;

    snprintf(path, sizeof path, "%s.stderr", dir);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return fd;
}

enum { RIGHT, NO_MEMORY, OTHER };

static int run(const char *input, unsigned long n, uint64_t want)
{
    static int printed = -1;
    struct stat st = { 0 };
    const char *why = NULL;
    int status;
    pid_t pid;

    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    if (printed < 0)
        printed = silence();
    if (printed < 0 || ftruncate(printed, 0) < 0)
        return OTHER;
    lseek(printed, 0, SEEK_SET);
    memset(found, 0, sizeof *found);
    pid = fork();
    if (pid == 0) {
        dup2(printed, STDERR_FILENO);
        child(input, n, want);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return OTHER;
    fstat(printed, &st);
    if (WIFSIGNALED(status))
        why = strsignal(WTERMSIG(status));
    else if (WEXITSTATUS(status))
        why = "the process ended early";
    else if (st.st_size)
        why = "something was printed";
    else if (found->rc < 0 && found->rc != COOC_ENOMEM)
        why = found->err.text;
    else if (found->rc == 0 && n && found->sum != want)
        why = "the result is wrong";
    else if (!found->again)
        why = "the second time fails";
    if (why)
        fprintf(stderr, "%s: allocation %lu: %s\n", input, n, why);
    return why ? OTHER : found->rc == 0 ? RIGHT : NO_MEMORY;
}

static int try_input(const char *input, unsigned long stride,
                     unsigned long first)
{
    unsigned long number[3] = { 0 }, all;
    const char *name = strrchr(input, '/');
    uint64_t want;

    if (run(input, 0, 0) != RIGHT || found->rc != 0)
        return -1;
    want = found->sum;
    all = found->calls;
    for (unsigned long n = first; n <= all; n += stride)
        number[run(input, n, want)]++;
    printf("%s\t%lu\t%lu\t%lu\t%lu\n", name ? name + 1 : input, all,
           number[RIGHT], number[NO_MEMORY], number[OTHER]);
    fflush(stdout);
    return number[OTHER] ? -1 : 0;
}

int main(int argc, char **argv)
{
    int rc = 0;

    if (argc < 5) {
        fputs("usage: nomem DIR STRIDE FIRST INPUT...\n", stderr);
        return 2;
    }
    dir = argv[1];
    found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED || (mkdir(dir, 0700) < 0 && errno != EEXIST)) {
        perror(dir);
        return 2;
    }
    for (int i = 4; i < argc; i++)
        if (try_input(argv[i], strtoul(argv[2], NULL, 10),
                      strtoul(argv[3], NULL, 10)) < 0)
            rc = 1;
    return rc;
}
