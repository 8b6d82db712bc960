/* worker.c - the thread of a rank that does items. */
#include "mpi/worker.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/watch.h"

/* Add the time since the last change of state to the statistics. */
static void account(struct worker *k, double *sum)
{
    double now = clock_seconds();

    *sum += now - k->since;
    k->since = now;
}

static void *work_thread(void *self)
{
    struct worker *k = self;

    pthread_mutex_lock(&k->lock);
    while (k->state != WORKER_QUIT) {
        if (k->state != WORKER_BUSY) {
            pthread_cond_wait(&k->changed, &k->lock);
            continue;
        }
        pthread_mutex_unlock(&k->lock);
        k->rc = k->w->run(k->w->self, &k->item, k->result, k->text, &k->err);
        pthread_mutex_lock(&k->lock);
        account(k, &own_stats()->busy);
        if (k->state == WORKER_BUSY)
            k->state = WORKER_DONE;
        pthread_cond_broadcast(&k->changed);
    }
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

int worker_start(struct worker *k, struct work *w, struct cooc_err *err)
{
    pthread_condattr_t attr;
    int failed;

    *k = (struct worker){ .w = w, .since = clock_seconds() };
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->changed, &attr);
    pthread_condattr_destroy(&attr);
    failed = pthread_create(&k->thread, NULL, work_thread, k);
    if (!failed)
        return 0;
    k->state = WORKER_QUIT;
    return err_set(err, COOC_ENOMEM, "cannot start a thread: %s",
                   strerror(failed));
}

void worker_end(struct worker *k)
{
    bool started;

    pthread_mutex_lock(&k->lock);
    started = k->state != WORKER_QUIT;
    if (k->state == WORKER_IDLE)
        account(k, &own_stats()->waiting);
    atomic_store(&k->stop, true);
    k->state = WORKER_QUIT;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->lock);
    if (started)
        pthread_join(k->thread, NULL);
    pthread_cond_destroy(&k->changed);
    pthread_mutex_destroy(&k->lock);
}

void worker_give(struct worker *k, const struct item *item)
{
    pthread_mutex_lock(&k->lock);
    account(k, &own_stats()->waiting);
    k->item = *item;
    k->share = 0;
    memset(k->result, 0, sizeof k->result);
    k->text[0] = '\0';
    k->state = WORKER_BUSY;
    own_stats()->items++;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->lock);
}

bool worker_finished(struct worker *k, int *rc)
{
    bool finished;

    pthread_mutex_lock(&k->lock);
    finished = k->state == WORKER_DONE;
    if (finished) {
        *rc = k->rc;
        k->state = WORKER_IDLE;
    }
    pthread_mutex_unlock(&k->lock);
    return finished;
}

bool worker_idle(struct worker *k)
{
    bool idle;

    pthread_mutex_lock(&k->lock);
    idle = k->state == WORKER_IDLE;
    pthread_mutex_unlock(&k->lock);
    return idle;
}

double worker_share(struct worker *k)
{
    double share;

    pthread_mutex_lock(&k->lock);
    share = k->state == WORKER_BUSY ? k->share : 0;
    pthread_mutex_unlock(&k->lock);
    return share;
}

bool worker_warning(struct worker *k, char text[MESSAGE_TEXT])
{
    bool there;

    pthread_mutex_lock(&k->lock);
    there = k->n_warnings > 0;
    if (there) {
        memcpy(text, k->warnings[0], MESSAGE_TEXT);
        memmove(k->warnings[0], k->warnings[1],
                --k->n_warnings * MESSAGE_TEXT);
    }
    pthread_mutex_unlock(&k->lock);
    return there;
}

void worker_nap(struct worker *k, struct nap *nap)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += nap_next(nap);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&k->lock);
    if (k->state == WORKER_IDLE || k->state == WORKER_BUSY)
        pthread_cond_timedwait(&k->changed, &k->lock, &until);
    pthread_mutex_unlock(&k->lock);
}

/* ---- the hooks of the library -------------------------------------------- */

static int on_progress(void *self, const struct cooc_progress *now)
{
    struct work *w = self;
    struct worker *k = w->worker;

    if (!k)
        return w->watch && w->watch->progress
                   ? w->watch->progress(w->watch->self, now)
                   : 0;
    pthread_mutex_lock(&k->lock);
    k->share = now->share >= 0 ? now->share
               : now->total    ? (double)now->done / (double)now->total
                               : 0;
    if (k->share > 1)
        k->share = 1;
    pthread_mutex_unlock(&k->lock);
    return atomic_load(&k->stop);
}

static int on_estimate(void *self, const struct cooc_estimate *e)
{
    struct work *w = self;

    if (w->worker || !w->watch || !w->watch->estimate)
        return 0;
    return w->watch->estimate(w->watch->self, e);
}

static void on_warning(void *self, const char *text)
{
    struct work *w = self;
    struct worker *k = w->worker;

    if (!k) {
        if (ranks.rank == 0 && w->watch && w->watch->warning)
            w->watch->warning(w->watch->self, text);
        return;
    }
    pthread_mutex_lock(&k->lock);
    if (k->n_warnings < WARNINGS)
        snprintf(k->warnings[k->n_warnings++], MESSAGE_TEXT, "%s", text);
    pthread_mutex_unlock(&k->lock);
}

struct cooc_watch work_watch(struct work *w)
{
    return (struct cooc_watch){ .size = sizeof(struct cooc_watch), .self = w,
                                .progress = on_progress,
                                .estimate = on_estimate,
                                .warning = on_warning };
}
