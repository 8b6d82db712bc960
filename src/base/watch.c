/* watch.c - progress, clock, memory. */
#include "base/watch.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

double clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t read_number(const char *path)
{
    FILE *f = fopen(path, "re");
    unsigned long long v = 0;

    if (!f)
        return UINT64_MAX;
    if (fscanf(f, "%llu", &v) != 1) /* "max": no limit */
        v = UINT64_MAX;
    fclose(f);
    return v;
}

uint64_t memory_half(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size
                                         : (uint64_t)1 << 30;
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max");

    if (limit == UINT64_MAX)
        limit = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    return (limit < all ? limit : all) / 2;
}

void watch_init(struct watch *w, const struct cooc_watch *hook)
{
    *w = (struct watch){ .hook = hook, .last = clock_seconds() };
    w->now.phase = w->now.unit = "";
    pthread_mutex_init(&w->lock, NULL);
}

void watch_release(struct watch *w)
{
    pthread_mutex_destroy(&w->lock);
}

static void call_hook(struct watch *w)
{
    w->last = clock_seconds();
    if (w->hook && w->hook->progress &&
        w->hook->progress(w->hook->self, &w->now))
        w->stop = true;
}

void watch_resume(struct watch *w, const char *phase, const char *unit,
                  uint64_t total, uint64_t done, uint64_t pairs)
{
    pthread_mutex_lock(&w->lock);
    w->now = (struct cooc_progress){ .phase = phase, .unit = unit,
                                     .total = total, .done = done,
                                     .pairs = pairs };
    call_hook(w);
    pthread_mutex_unlock(&w->lock);
}

void watch_phase(struct watch *w, const char *phase, const char *unit,
                 uint64_t total)
{
    watch_resume(w, phase, unit, total, 0, 0);
}

void watch_wrote(struct watch *w, uint64_t bytes)
{
    pthread_mutex_lock(&w->lock);
    w->now.bytes += bytes;
    pthread_mutex_unlock(&w->lock);
}

int watch_add(struct watch *w, uint64_t done, uint64_t documents,
              uint64_t pairs, struct cooc_err *err)
{
    bool stop;

    pthread_mutex_lock(&w->lock);
    w->now.done += done;
    w->now.documents += documents;
    w->now.pairs += pairs;
    if (clock_seconds() - w->last > 0.1)
        call_hook(w);
    stop = w->stop;
    pthread_mutex_unlock(&w->lock);
    return stop ? err_set(err, COOC_ECANCELLED, "interrupted") : 0;
}
