/* watch.h - report progress of a long job to the program, and ask whether to
 * stop; also the clock and the amount of memory.
 *
 *     watch_phase(&watch, "counting", "increments", total);
 *     for each piece of work
 *         rc = watch_add(&watch, increments, 0, pairs, err);
 *
 * Threads    Any thread may report.  The callbacks of the program are never
 *            called concurrently.
 * Cost       A lock and a look at the clock per report.  The progress callback
 *            is called every 0.1 s at most, and at the start of each phase.
 */
#ifndef COOC_WATCH_H
#define COOC_WATCH_H

#include <pthread.h>

#include "cooc_build.h"

/* Seconds on a monotonic clock. */
double clock_seconds(void);

/* Half of the memory that the machine and the cgroup allow this process. */
uint64_t memory_half(void);
/* The same with root prepended to /proc and /sys, for tests. */
uint64_t memory_half_below(const char *root);

struct watch {
    struct cooc_watch hook; /* callbacks of the program; each may be NULL */
    pthread_mutex_t lock;
    struct cooc_progress now;
    /* The phase takes the part [from, to) of the job's predicted time; `work`
     * of work_total units are done.  to = 0: unknown. */
    double from, to;
    uint64_t work, work_total;
    double last; /* time of the last progress callback */
    bool stop;   /* the callback has asked to stop */
};

/* Copy the callbacks of the program; hook may be NULL.  Call watch_release()
 * even if this fails. */
int watch_init(struct watch *w, const struct cooc_watch *hook,
               struct cooc_err *err);
void watch_release(struct watch *w);
/* Begin a phase: its name, the unit of its work, and the total amount, or 0 if
 * that is unknown. */
void watch_phase(struct watch *w, const char *phase, const char *unit,
                 uint64_t total);
/* Begin a phase of which an earlier job has already done a part. */
void watch_resume(struct watch *w, const char *phase, const char *unit,
                  uint64_t total, uint64_t done, uint64_t pairs);
/* Say which part of the predicted time of the whole job the current phase
 * takes, and how many units of work it has; 0: as many as its total.
 * Forgotten when the next phase begins. */
void watch_expect(struct watch *w, double from, double to, uint64_t work);
/* Report finished units of work; the next watch_add() shows them. */
void watch_worked(struct watch *w, uint64_t work);
/* Report that bytes were written. */
void watch_wrote(struct watch *w, uint64_t bytes);
/* Report finished work.  COOC_ECANCELLED if the callback has asked to stop,
 * COOC_ENOMEM if an allocation of a library failed (library_alloc.h).  Cheap
 * enough for every 10 ms of work.  w may be NULL. */
int watch_add(struct watch *w, uint64_t done, uint64_t documents,
              uint64_t pairs, struct cooc_err *err);
/* Call the progress callback now, because a signal has arrived; otherwise as
 * watch_add().  w may be NULL. */
int watch_ask(struct watch *w, struct cooc_err *err);

/* Report input that may not be what the user expects to the warning callback.
 * w may be NULL. */
void watch_warn(struct watch *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Report a finding about an input to the note callback; n->size is set here.
 * w may be NULL. */
void watch_note(struct watch *w, struct cooc_note n);

#endif
