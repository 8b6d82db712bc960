/* pool.c - threads. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/here.h"
#include "base/mem.h"

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
        return err_set(err, COOC_EINVAL, "threads: at most %d", THREADS_MAX);
    return 0;
}

struct task {
    void (*work)(void *self, unsigned worker);
    void *self;
    unsigned worker;
    const struct here *here;
    pthread_t thread;
    bool started;
};

static void *start(void *arg)
{
    struct task *t = arg;

    here_set(t->here);
    t->work(t->self, t->worker);
    return NULL;
}

void pool_run(unsigned n, void (*work)(void *self, unsigned worker),
              void *self)
{
    struct task *t = mem_zarray(n, sizeof *t);

    for (unsigned i = 1; t && i < n; i++) {
        t[i] = (struct task){ .work = work, .self = self, .worker = i,
                               .here = here_get() };
        t[i].started = pthread_create(&t[i].thread, NULL, start, &t[i]) == 0;
    }
    work(self, 0);
    for (unsigned i = 1; i < n; i++)
        if (t && t[i].started)
            pthread_join(t[i].thread, NULL);
        else
            work(self, i);
    mem_free(t);
}
