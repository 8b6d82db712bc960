/* watch.h - tell the caller how far a long job is; learn whether to stop. */
#ifndef COOC_WATCH_H
#define COOC_WATCH_H

#include <pthread.h>

#include "cooc_build.h"

/* Seconds on a clock that only goes forward. */
double clock_seconds(void);

/* Half of the memory this process may use, by the machine and its cgroup. */
uint64_t memory_half(void);
/* The same with root before /proc and /sys, for tests. */
uint64_t memory_half_below(const char *root);

struct watch {
    struct cooc_watch hook; /* of the program; each may be NULL */
    pthread_mutex_t lock;
    struct cooc_progress now;
    double last; /* when the hook was called last */
    bool stop;
};

/* hook may be NULL.  Call watch_release() even if this fails. */
int watch_init(struct watch *w, const struct cooc_watch *hook,
               struct cooc_err *err);
void watch_release(struct watch *w);
void watch_phase(struct watch *w, const char *phase, const char *unit,
                 uint64_t total);
/* Begin a phase of which an earlier job has done some. */
void watch_resume(struct watch *w, const char *phase, const char *unit,
                  uint64_t total, uint64_t done, uint64_t pairs);
/* So many bytes more have been written. */
void watch_wrote(struct watch *w, uint64_t bytes);
/* Add to what is done; COOC_ECANCELLED when the hook said stop.  Any
 * thread; cheap enough for every 10 ms of work.  w may be NULL. */
int watch_add(struct watch *w, uint64_t done, uint64_t documents,
              uint64_t pairs, struct cooc_err *err);
/* Ask the hook now: a signal has come.  w may be NULL. */
int watch_ask(struct watch *w, struct cooc_err *err);

/* Tell the caller of input that may not be what the user expects.  Any thread;
 * w may be NULL. */
void watch_warn(struct watch *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
