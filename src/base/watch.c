/* watch.c - progress reports, the clock, and the limits of memory. */
#include "base/watch.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/sized.h"
#include "cooc_build.h"

double clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Read a limit from a file of the kernel.  "max", text that is not a number,
 * and 0, with which no process could run, mean no limit. */
static uint64_t read_limit(const char *path)
{
    FILE *f = fopen(path, "re");
    char text[32] = "", *end;
    unsigned long long v;

    if (!f)
        return UINT64_MAX;
    if (!fgets(text, sizeof text, f))
        text[0] = '\0';
    fclose(f);
    v = strtoull(text, &end, 10);
    return *text < '0' || *text > '9' || (*end && *end != '\n') || !v
               ? UINT64_MAX : v;
}

/* Return the smallest limit of a cgroup and its ancestors. */
static uint64_t least_limit(const char *root, const char *mount, char *group,
                            const char *file)
{
    uint64_t least = UINT64_MAX;

    for (;;) {
        char path[PATH_MAX], *up;
        uint64_t limit;

        if (snprintf(path, sizeof path, "%s%s%s/%s", root, mount, group,
                     file) < (int)sizeof path) {
            limit = read_limit(path);
            least = limit < least ? limit : least;
        }
        up = strrchr(group, '/');
        if (!up)
            return least;
        *up = '\0';
    }
}

/* Return the memory limit of the cgroups of this process.  A line of the file
 * is "4:memory:/group" in cgroups v1 and "0::/group" in v2. */
static uint64_t cgroup_limit(const char *root)
{
    char line[PATH_MAX + 64];
    uint64_t least = UINT64_MAX, limit;
    FILE *f;

    if (snprintf(line, sizeof line, "%s/proc/self/cgroup", root) >=
        (int)sizeof line)
        return least;
    f = fopen(line, "re");
    while (f && fgets(line, sizeof line, f)) {
        char *kind = strchr(line, ':'), *group;

        group = kind ? strchr(kind + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (!strcmp(kind, ":"))
            limit = least_limit(root, "/sys/fs/cgroup", group, "memory.max");
        else if (strstr(kind, "memory"))
            limit = least_limit(root, "/sys/fs/cgroup/memory", group,
                                "memory.limit_in_bytes");
        else
            continue;
        least = limit < least ? limit : least;
    }
    if (f)
        fclose(f);
    return least;
}

uint64_t memory_half_below(const char *root)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size
                                         : (uint64_t)1 << 30;
    uint64_t limit = cgroup_limit(root);

    return (limit < all ? limit : all) / 2;
}

uint64_t memory_half(void)
{
    return memory_half_below("");
}

int watch_init(struct watch *w, const struct cooc_watch *hook,
               struct cooc_err *err)
{
    *w = (struct watch){ .last = clock_seconds() };
    w->now = (struct cooc_progress){ .size = sizeof w->now, .phase = "",
                                     .unit = "", .share = -1 };
    pthread_mutex_init(&w->lock, NULL);
    return sized_read(&w->hook, sizeof w->hook, hook, "watch", err);
}

void watch_release(struct watch *w)
{
    pthread_mutex_destroy(&w->lock);
}

/* The share of the predicted time of the job that has passed. */
static double share_done(const struct watch *w)
{
    double done = (double)(w->work_total ? w->work : w->now.done);
    double total = (double)(w->work_total ? w->work_total : w->now.total);

    if (w->to <= 0)
        return -1;
    done = total > 0 && done < total ? done / total : total > 0;
    return w->from + (w->to - w->from) * done;
}

static void call_hook(struct watch *w)
{
    w->now.share = share_done(w);
    w->last = clock_seconds();
    if (w->hook.progress && w->hook.progress(w->hook.self, &w->now))
        w->stop = true;
}

void watch_resume(struct watch *w, const char *phase, const char *unit,
                  uint64_t total, uint64_t done, uint64_t pairs)
{
    pthread_mutex_lock(&w->lock);
    w->now = (struct cooc_progress){ .size = sizeof w->now, .phase = phase,
                                     .unit = unit, .total = total,
                                     .done = done, .pairs = pairs };
    w->from = w->to = 0;
    w->work = w->work_total = 0;
    call_hook(w);
    pthread_mutex_unlock(&w->lock);
}

void watch_phase(struct watch *w, const char *phase, const char *unit,
                 uint64_t total)
{
    watch_resume(w, phase, unit, total, 0, 0);
}

void watch_expect(struct watch *w, double from, double to, uint64_t work)
{
    pthread_mutex_lock(&w->lock);
    w->from = from;
    w->to = to;
    w->work = 0;
    w->work_total = work;
    pthread_mutex_unlock(&w->lock);
}

void watch_worked(struct watch *w, uint64_t work)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->work += work;
    pthread_mutex_unlock(&w->lock);
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

    if (!w)
        return 0;
    pthread_mutex_lock(&w->lock);
    w->now.done += done;
    w->now.documents += documents;
    w->now.pairs += pairs;
    if (clock_seconds() - w->last > 0.1)
        call_hook(w);
    stop = w->stop;
    pthread_mutex_unlock(&w->lock);
    if (stop)
        return err_set(err, COOC_ECANCELLED, "interrupted");
    return library_alloc_check(err);
}

void watch_warn(struct watch *w, const char *fmt, ...)
{
    struct cooc_err text;
    va_list ap;

    if (!w || !w->hook.warning)
        return;
    va_start(ap, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&w->lock);
    w->hook.warning(w->hook.self, text.text);
    pthread_mutex_unlock(&w->lock);
}

void watch_note(struct watch *w, struct cooc_note n)
{
    if (!w || !w->hook.note)
        return;
    n.size = sizeof n;
    pthread_mutex_lock(&w->lock);
    w->hook.note(w->hook.self, &n);
    pthread_mutex_unlock(&w->lock);
}

int watch_ask(struct watch *w, struct cooc_err *err)
{
    if (!w)
        return 0;
    pthread_mutex_lock(&w->lock);
    call_hook(w);
    pthread_mutex_unlock(&w->lock);
    return watch_add(w, 0, 0, 0, err);
}
