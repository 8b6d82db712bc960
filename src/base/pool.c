/* pool.c - parallel loops.
 *
 * The next job is one atomic counter.  Jobs start in increasing order, and jobs
 * that were started are finished, so the lowest-numbered failure is always
 * found: which error is reported does not depend on timing.
 */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/workdir.h"

#define THREADS_MAX 1024

unsigned pool_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}

int pool_check(unsigned threads, struct cooc_err *err)
{
    if (threads > THREADS_MAX)
        return err_option(err, COOC_EINVAL, "threads",
                          "threads must be at most %d", THREADS_MAX);
    return 0;
}

struct loop {
    pool_fn fn;
    void *self;
    const struct workdir *workdir;
    uint64_t n_jobs;
    atomic_uint_fast64_t next;
    atomic_bool failed;
    pthread_mutex_t lock; /* protects the fields below */
    uint64_t failed_job;
    struct cooc_err err; /* the error of failed_job */
};

struct worker {
    struct loop *loop;
    unsigned number;
    pthread_t thread;
};

static void note_failure(struct loop *l, uint64_t job, int rc,
                         const struct cooc_err *err)
{
    pthread_mutex_lock(&l->lock);
    if (!atomic_load(&l->failed) || job < l->failed_job) {
        l->failed_job = job;
        l->err = *err;
        l->err.code = rc;
        atomic_store(&l->failed, true);
    }
    pthread_mutex_unlock(&l->lock);
}

static void do_jobs(struct loop *l, unsigned worker)
{
    while (!atomic_load(&l->failed)) {
        uint64_t job = atomic_fetch_add(&l->next, 1);
        struct cooc_err err = { 0 };
        int rc;

        if (job >= l->n_jobs)
            return;
        rc = library_alloc_end(l->fn(l->self, worker, job, &err), &err);
        if (rc < 0)
            note_failure(l, job, rc, &err);
    }
}

static void *start_worker(void *arg)
{
    struct worker *w = arg;

    workdir_set(w->loop->workdir);
    do_jobs(w->loop, w->number);
    return NULL;
}

int pool_for(uint64_t n_jobs, unsigned threads, pool_fn fn, void *self,
             struct cooc_err *err)
{
    struct loop l = { .fn = fn, .self = self, .workdir = workdir_get(),
                      .n_jobs = n_jobs };
    unsigned want = n_jobs < threads ? (unsigned)n_jobs : threads, n = 1;
    struct worker *w = want > 1 ? mem_zarray(want, sizeof *w) : NULL;

    pthread_mutex_init(&l.lock, NULL);
    for (; w && n < want; n++) {
        w[n] = (struct worker){ .loop = &l, .number = n };
        if (pthread_create(&w[n].thread, NULL, start_worker, &w[n]) != 0)
            break;
    }
    do_jobs(&l, 0);
    while (--n > 0)
        pthread_join(w[n].thread, NULL);
    mem_free(w);
    pthread_mutex_destroy(&l.lock);
    if (atomic_load(&l.failed))
        return err_copy(err, &l.err);
    return 0;
}
