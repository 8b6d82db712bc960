/* ordered.c - a parallel loop with results that are used in order.
 *
 * One lock protects the states of all slots.  A worker waits until the slot of
 * the next job is free, or, in ordered_pass(), until its slot has been emptied;
 * the calling thread waits until the next result is ready.  Jobs start in
 * order, so the job of that result is always running on a thread that waits
 * for nothing but the calling thread.
 */
#include "base/ordered.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/pool.h"

enum state {
    FREE,
    WORKING,
    PART, /* to be taken; then the job continues */
    DONE,
    FAILED,
};

struct slot {
    enum state state;
    int rc;
    struct cooc_err err;
};

struct ordered {
    ordered_make_fn make;
    ordered_take_fn take;
    void *self;
    uint64_t n_jobs;
    unsigned n_slots;

    pthread_mutex_t lock; /* protects the fields below */
    pthread_cond_t changed;
    uint64_t next;  /* the next job to start */
    uint64_t taken; /* the next job to take */
    struct slot *slots;
    bool stopped;   /* after an error: no job starts or continues */
    int rc;
    struct cooc_err err;
};

static unsigned slot_of(const struct ordered *o, uint64_t job)
{
    return (unsigned)(job % o->n_slots);
}

static bool can_start(const struct ordered *o)
{
    return o->next < o->n_jobs && o->next - o->taken < o->n_slots;
}

/* Start the next job; the caller holds the lock. */
static void run_next(struct ordered *o, unsigned worker)
{
    uint64_t job = o->next++;
    struct slot *s = &o->slots[slot_of(o, job)];
    struct cooc_err err = { 0 };
    int rc;

    s->state = WORKING;
    pthread_mutex_unlock(&o->lock);
    rc = o->make(o->self, o, worker, slot_of(o, job), job, &err);
    rc = library_alloc_end(rc, &err);
    pthread_mutex_lock(&o->lock);
    s->state = rc < 0 ? FAILED : DONE;
    s->rc = rc;
    if (rc < 0)
        s->err = err;
    pthread_cond_broadcast(&o->changed);
}

static void make_all(struct ordered *o, unsigned worker)
{
    while (!o->stopped && o->next < o->n_jobs) {
        if (can_start(o))
            run_next(o, worker);
        else
            pthread_cond_wait(&o->changed, &o->lock);
    }
}

static void stop(struct ordered *o, int rc, const struct cooc_err *err)
{
    o->stopped = true;
    o->rc = rc;
    o->err = *err;
}

/* Take the next result, if it is ready; the caller holds the lock. */
static bool take_next(struct ordered *o)
{
    uint64_t job = o->taken;
    struct slot *s = &o->slots[slot_of(o, job)];
    enum state state = s->state;
    struct cooc_err err = { 0 };
    int rc;

    if (job == o->n_jobs || state == FREE || state == WORKING)
        return false;
    if (state == FAILED) {
        stop(o, s->rc, &s->err);
    } else {
        pthread_mutex_unlock(&o->lock);
        rc = o->take(o->self, slot_of(o, job), job, &err);
        pthread_mutex_lock(&o->lock);
        if (rc < 0)
            stop(o, rc, &err);
        s->state = state == PART ? WORKING : FREE;
        o->taken += state == DONE;
    }
    pthread_cond_broadcast(&o->changed);
    return true;
}

static void take_all(struct ordered *o)
{
    while (!o->stopped && o->taken < o->n_jobs) {
        if (take_next(o))
            continue;
        if (can_start(o))
            run_next(o, 0);
        else
            pthread_cond_wait(&o->changed, &o->lock);
    }
}

int ordered_pass(struct ordered *o, unsigned worker, uint64_t job,
                 struct cooc_err *err)
{
    struct slot *s = &o->slots[slot_of(o, job)];
    bool stopped;

    pthread_mutex_lock(&o->lock);
    s->state = PART;
    pthread_cond_broadcast(&o->changed);
    while (!o->stopped && s->state == PART)
        if (worker > 0 || !take_next(o)) /* worker 0 is the calling thread */
            pthread_cond_wait(&o->changed, &o->lock);
    stopped = o->stopped;
    pthread_mutex_unlock(&o->lock);
    return stopped ? err_set(err, COOC_ECANCELLED, "interrupted") : 0;
}

static int run(void *self, unsigned worker, uint64_t job, struct cooc_err *err)
{
    struct ordered *o = self;

    (void)job;
    (void)err;
    pthread_mutex_lock(&o->lock);
    if (worker == 0)
        take_all(o);
    else
        make_all(o, worker);
    pthread_mutex_unlock(&o->lock);
    return 0;
}

int ordered_for(uint64_t n_jobs, unsigned threads, unsigned slots,
                ordered_make_fn make, ordered_take_fn take, void *self,
                struct cooc_err *err)
{
    struct ordered o = { .make = make, .take = take, .self = self,
                         .n_jobs = n_jobs, .n_slots = slots };

    o.slots = mem_zarray(slots, sizeof *o.slots);
    if (!o.slots)
        return err_nomem(err);
    pthread_mutex_init(&o.lock, NULL);
    pthread_cond_init(&o.changed, NULL);
    threads = n_jobs < threads ? (unsigned)n_jobs : threads;
    pool_for(threads, threads, run, &o, NULL);
    run(&o, 0, 0, NULL); /* if the others have started all jobs of the pool */
    pthread_mutex_destroy(&o.lock);
    pthread_cond_destroy(&o.changed);
    mem_free(o.slots);
    if (o.rc < 0 && err)
        *err = o.err;
    return o.rc;
}
