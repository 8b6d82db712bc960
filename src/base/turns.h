/* turns.h - let the jobs of a parallel loop do one short step in order.
 *
 *     rc = prepare(job);                       in parallel
 *     if (turns_wait(&turns, number) && rc == 0)
 *         at = total, total += job->size;      one at a time, in order
 *     turns_pass(&turns, rc);
 *     ... write job at `at` ...                in parallel
 *
 * Every job must call turns_wait() and then turns_pass() exactly once, even if
 * it fails.  Jobs of pool_for() start in increasing order, so the job whose
 * turn it is never waits.
 */
#ifndef COOC_TURNS_H
#define COOC_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t next; /* number of the job whose turn it is */
    bool failed;
};

#define TURNS_INIT                                                  \
    (struct turns)                                                  \
    {                                                               \
        .lock = PTHREAD_MUTEX_INITIALIZER,                          \
        .changed = PTHREAD_COND_INITIALIZER                         \
    }

/* Wait until all jobs with smaller numbers have passed.  False if one of them
 * has failed: there is nothing to do any more. */
static inline bool turns_wait(struct turns *t, uint64_t number)
{
    bool failed;

    pthread_mutex_lock(&t->lock);
    while (t->next != number)
        pthread_cond_wait(&t->changed, &t->lock);
    failed = t->failed;
    pthread_mutex_unlock(&t->lock);
    return !failed;
}

/* Let the next job continue; rc is negative if this job has failed. */
static inline void turns_pass(struct turns *t, int rc)
{
    pthread_mutex_lock(&t->lock);
    t->failed |= rc < 0;
    t->next++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

#endif
