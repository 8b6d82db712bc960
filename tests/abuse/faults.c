/* faults.c - make the n-th call of a kind fail; or record every call.
 *
 * Loaded with LD_PRELOAD.  A seccomp filter redirects every system call of the
 * table below to a handler in the process, whether the program, a library or
 * the C library makes it, as in fclose() or opendir().  The handler counts the
 * call, then makes it fail or executes it.  Functions of the C library for
 * memory and threads are wrapped.
 *
 *     FAULT_LOG=file     a struct log: number of calls of each kind, hits
 *     FAULT_KIND=write   the kind of call to fail, of kind_names[]
 *     FAULT_AT=7         fail the seventh call; "7+": and all later calls
 *     FAULT_HOW=28       errno; or "short": half of the bytes; "kill":
 *                        SIGKILL instead of the call; "tear": half of the
 *                        bytes, then SIGKILL
 *     FAULT_RECORD=file  every call that changes files, with its data
 *
 * A sync is only counted, not executed: it takes long and has no effect that
 * a running process can observe.  Counting starts when the libraries are
 * initialised, just before main().  Writes to standard error never fail, so
 * that errors can be reported.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum kind {
    WRITE, SYNC, RENAME, MAP, OPEN, READ, CLOSE, SIZE, REMOVE, LOOK, LOCK,
    THREAD, MEMORY, KINDS
};

static const char *const kind_names[KINDS] = {
    "write", "sync", "rename", "map", "open", "read", "close", "size",
    "remove", "look", "lock", "thread", "memory",
};

/* paths: bit mask of arguments that are names; record: it changes files. */
static const struct call {
    unsigned nr;
    enum kind kind;
    uint8_t paths;
    uint8_t record;
} calls[] = {
    { SYS_write, WRITE, 0, 1 },       { SYS_pwrite64, WRITE, 0, 1 },
    { SYS_writev, WRITE, 0, 1 },      { SYS_pwritev, WRITE, 0, 1 },
    { SYS_fsync, SYNC, 0, 1 },        { SYS_fdatasync, SYNC, 0, 1 },
    { SYS_msync, SYNC, 0, 1 },        { SYS_sync_file_range, SYNC, 0, 0 },
    { SYS_rename, RENAME, 3, 1 },     { SYS_renameat, RENAME, 10, 1 },
    { SYS_renameat2, RENAME, 10, 1 }, { SYS_link, RENAME, 3, 1 },
    { SYS_linkat, RENAME, 10, 1 },    { SYS_mmap, MAP, 0, 1 },
    { SYS_mremap, MAP, 0, 0 },        { SYS_open, OPEN, 1, 1 },
    { SYS_openat, OPEN, 2, 1 },       { SYS_creat, OPEN, 1, 1 },
    { SYS_mkdir, OPEN, 1, 1 },        { SYS_mkdirat, OPEN, 2, 1 },
    { SYS_read, READ, 0, 0 },         { SYS_pread64, READ, 0, 0 },
    { SYS_readv, READ, 0, 0 },        { SYS_getdents64, READ, 0, 0 },
    { SYS_close, CLOSE, 0, 1 },       { SYS_ftruncate, SIZE, 0, 1 },
    { SYS_truncate, SIZE, 1, 1 },     { SYS_fallocate, SIZE, 0, 1 },
    { SYS_unlink, REMOVE, 1, 1 },     { SYS_unlinkat, REMOVE, 2, 1 },
    { SYS_rmdir, REMOVE, 1, 1 },      { SYS_stat, LOOK, 0, 0 },
    { SYS_fstat, LOOK, 0, 0 },        { SYS_lstat, LOOK, 0, 0 },
    { SYS_newfstatat, LOOK, 0, 0 },   { SYS_statfs, LOOK, 0, 0 },
    { SYS_access, LOOK, 0, 0 },       { SYS_faccessat, LOOK, 0, 0 },
    { SYS_lseek, LOOK, 0, 0 },        { SYS_fcntl, LOOK, 0, 0 },
    { SYS_fadvise64, LOOK, 0, 0 },    { SYS_flock, LOCK, 0, 0 },
};

enum { CALLS = sizeof calls / sizeof *calls, FILTER = CALLS + 9 };

/* Read by the test afterwards. */
struct log {
    atomic_ulong calls[KINDS];
    atomic_ulong hits; /* number of calls that were made to fail */
    unsigned long nr;  /* number of the first one, if a system call */
};

static enum { FAIL, SHORT, KILL, TEAR } how;
static struct log unread, *log_at = &unread;
static enum kind want = KINDS;
static unsigned long at;
static bool from_then_on, started;
static int error = EIO, record = -1;
static atomic_flag recording = ATOMIC_FLAG_INIT;

/* A system call that the filter allows, because it knows the address. */
long faults_raw(long nr, ...) __attribute__((visibility("hidden")));
extern const char faults_raw_end[] __attribute__((visibility("hidden")));
__asm__(".text\n"
        "faults_raw:\n"
        "    movq %rdi, %rax\n    movq %rsi, %rdi\n    movq %rdx, %rsi\n"
        "    movq %rcx, %rdx\n    movq %r8, %r10\n    movq %r9, %r8\n"
        "    movq 8(%rsp), %r9\n    syscall\n"
        "faults_raw_end:\n"
        "    ret\n");

/* Count a call; return whether it must fail. */
static bool hit(enum kind kind, unsigned long nr)
{
    unsigned long n = atomic_fetch_add(&log_at->calls[kind], 1) + 1;

    if (kind != want || !at || (from_then_on ? n < at : n != at))
        return false;
    if (atomic_fetch_add(&log_at->hits, 1) == 0)
        log_at->nr = nr;
    return true;
}

/* ---- the record --------------------------------------------------------- */

static void put(const void *data, size_t len)
{
    const char *p = data;

    while (len > 0) {
        long n = faults_raw(SYS_write, (long)record, p, len);

        if (n <= 0) {
            static const char text[] = "faults: the record is cut short\n";

            faults_raw(SYS_write, 2L, text, sizeof text - 1);
            faults_raw(SYS_exit_group, 99L);
        }
        p += n;
        len -= (size_t)n;
    }
}

/* Number, result, arguments, the lengths of two names and of the data; then
 * names and data.  A vector of buffers is written as one. */
static void note(const struct call *c, long result, const greg_t *a)
{
    const char *names[2] = { "", "" };
    struct iovec one = { .iov_base = NULL }, *v = &one;
    size_t n = 0, buffers = 1;
    uint64_t head[11] = { c->nr, (uint64_t)result };

    for (unsigned i = 0; i < 4; i++)
        if (c->paths >> i & 1)
            names[n++] = (const char *)a[i];
    if (c->nr == SYS_write || c->nr == SYS_pwrite64) {
        one = (struct iovec){ (void *)a[1], (size_t)result };
    } else if (c->nr == SYS_writev || c->nr == SYS_pwritev) {
        v = (struct iovec *)a[1];
        buffers = (size_t)a[2];
    }
    memcpy(head + 2, a, 6 * sizeof *head);
    head[8] = strlen(names[0]);
    head[9] = strlen(names[1]);
    head[10] = c->kind == WRITE ? (uint64_t)result : 0;
    put(head, sizeof head);
    put(names[0], head[8]);
    put(names[1], head[9]);
    for (size_t i = 0, left = head[10]; i < buffers && left > 0; i++) {
        size_t some = v[i].iov_len < left ? v[i].iov_len : left;

        put(v[i].iov_base, some);
        left -= some;
    }
}

static long carry_out(const struct call *c, const greg_t *a)
{
    bool noted = record >= 0 && c->record;
    long result = 0;

    while (noted && atomic_flag_test_and_set(&recording))
        faults_raw(SYS_sched_yield);
    if (c->kind != SYNC)
        result = faults_raw(c->nr, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (noted && result >= 0)
        note(c, result, a);
    if (noted)
        atomic_flag_clear(&recording);
    return result;
}

/* ---- system calls ------------------------------------------------------- */

/* Transfer half of the bytes, in multiples that O_DIRECT supports. */
static long half(const struct call *c, greg_t *a)
{
    if (c->nr == SYS_writev || c->nr == SYS_pwritev || c->nr == SYS_readv)
        a[2] = (a[2] + 1) / 2;
    else if (c->nr != SYS_getdents64)
        a[2] = a[2] >= 1024 ? a[2] / 2 & ~511LL : (a[2] + 1) / 2;
    return carry_out(c, a);
}

static long fail_call(const struct call *c, greg_t *a)
{
    if (how == TEAR && c->kind == WRITE)
        half(c, a);
    if (how == TEAR || how == KILL)
        faults_raw(SYS_kill, faults_raw(SYS_getpid), (long)SIGKILL);
    if (how == SHORT)
        return half(c, a);
    if (c->kind == CLOSE)
        carry_out(c, a);
    return -error;
}

static void on_call(int number, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    greg_t a[6] = { r[REG_RDI], r[REG_RSI], r[REG_RDX],
                    r[REG_R10], r[REG_R8],  r[REG_R9] };
    const struct call *c = calls;

    (void)number;
    while (c->nr != (unsigned)info->si_syscall)
        c++;
    if (c->kind == WRITE && a[0] == STDERR_FILENO)
        r[REG_RAX] = carry_out(c, a);
    else if (hit(c->kind, c->nr))
        r[REG_RAX] = fail_call(c, a);
    else
        r[REG_RAX] = carry_out(c, a);
}

static int trap_calls(void)
{
    const uint64_t own = (uint64_t)(uintptr_t)faults_raw_end;
    const unsigned data = offsetof(struct seccomp_data, instruction_pointer);
    struct sigaction act = { .sa_sigaction = on_call,
                             .sa_flags = SA_SIGINFO | SA_NODEFER };
    struct sock_filter f[FILTER] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, data),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, data + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct sock_fprog program = { .len = FILTER, .filter = f };
    unsigned n = 6;

    for (unsigned i = 0; i < CALLS; i++, n++)
        f[n] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                            calls[i].nr,
                                            (uint8_t)(CALLS - i), 0);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                          SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    program.len = (unsigned short)n;
    if (sigaction(SIGSYS, &act, NULL) < 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* ---- memory and threads ------------------------------------------------- */

/* real: the wrapped function.  POSIX allows this conversion for dlsym(). */
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) \
        *(void **)&real = dlsym(RTLD_NEXT, #name)

static bool no_memory(void)
{
    if (!started || !hit(MEMORY, 0))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n)
{
    REAL(malloc);
    return no_memory() ? NULL : real(n);
}

void *calloc(size_t n, size_t size)
{
    REAL(calloc);
    return no_memory() ? NULL : real(n, size);
}

void *realloc(void *old, size_t n)
{
    REAL(realloc);
    return no_memory() ? NULL : real(old, n);
}

void *aligned_alloc(size_t align, size_t n)
{
    REAL(aligned_alloc);
    return no_memory() ? NULL : real(align, n);
}

int posix_memalign(void **out, size_t align, size_t n)
{
    REAL(posix_memalign);
    return no_memory() ? ENOMEM : real(out, align, n);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how_made,
                   void *(*start)(void *), void *self)
{
    REAL(pthread_create);
    return hit(THREAD, 0) ? EAGAIN : real(thread, how_made, start, self);
}

/* ---- initialisation ----------------------------------------------------- */

static void stop(const char *why)
{
    (void)!write(STDERR_FILENO, "faults: ", 8);
    (void)!write(STDERR_FILENO, why, strlen(why));
    (void)!write(STDERR_FILENO, "\n", 1);
    _exit(99);
}

static void open_log(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    void *p = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, sizeof *log_at) == 0)
        p = mmap(NULL, sizeof *log_at, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                 0);
    if (p == MAP_FAILED)
        stop("cannot make FAULT_LOG");
    close(fd);
    log_at = p;
}

static void choose(const char *kind, const char *when, const char *what)
{
    char *end;

    for (want = 0; want < KINDS && strcmp(kind, kind_names[want]);)
        want++;
    if (want == KINDS || !when || !what)
        stop("FAULT_KIND needs a kind, FAULT_AT and FAULT_HOW");
    at = strtoul(when, &end, 10);
    from_then_on = *end == '+';
    error = atoi(what);
    how = !strcmp(what, "short")  ? SHORT
          : !strcmp(what, "kill") ? KILL
          : !strcmp(what, "tear") ? TEAR
                                  : FAIL;
    if (how == FAIL && error <= 0)
        stop("FAULT_HOW is no errno");
}

__attribute__((constructor)) static void start(void)
{
    const char *log_path = getenv("FAULT_LOG"), *kind = getenv("FAULT_KIND");
    const char *record_path = getenv("FAULT_RECORD");

    if (log_path)
        open_log(log_path);
    if (kind)
        choose(kind, getenv("FAULT_AT"), getenv("FAULT_HOW"));
    if (record_path) {
        int fd = open(record_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

        record = fcntl(fd, F_DUPFD_CLOEXEC, 900); /* out of the way */
        close(fd);
        if (record < 0)
            stop("cannot make FAULT_RECORD");
    }
    if (trap_calls() < 0)
        stop("no seccomp here");
    started = true;
}
