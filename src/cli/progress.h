/* progress.h - show progress on stderr, and handle Ctrl-C.
 *
 * At a terminal, one line is rewritten in place and cleared at the end.  In a
 * file or pipe, a plain line is written at most every ten seconds.  With
 * --progress-json, one JSON object per line is written when a phase begins and
 * then every second.  The first SIGINT, SIGTERM or SIGHUP makes the hook tell
 * the library to stop; a second signal kills the process.
 */
#ifndef COOC_CLI_PROGRESS_H
#define COOC_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "cooc_build.h"

struct job_stats;
struct findings;

struct progress {
    bool quiet, terminal;
    bool json;       /* JSON lines; set it after progress_start() */
    struct findings *notes; /* NULL, or takes findings; set it after
                          * progress_start() */
    struct job_stats *stats; /* NULL, or records the phases; set it after
                              * progress_start() */
    bool drawn;      /* a line is on the terminal */
    char phase[32];
    double started;  /* start of the phase, in seconds */
    double share, share_at; /* the first known share of the job, and when */
    /* Recent reports, for the current rate: one every half second. */
    struct progress_sample {
        double time;
        uint64_t documents, pairs, bytes, done;
    } recent[8];
    size_t n_recent;
    double said;     /* time of the last output, in seconds */
    struct cooc_progress first, last; /* reports of the phase */
};

/* Install the signal handlers, start the clock and return the hooks for the
 * library; p must stay valid while they are in use. */
struct cooc_watch progress_start(struct progress *p, bool quiet);

/* Erase the progress line before results or errors are printed. */
void progress_clear(struct progress *p);

/* Erase the progress line before an answer is printed; rc is the result of the
 * work.  Returns COOC_ECANCELLED if a signal has been caught; otherwise rc, and
 * from then on a signal ends the program at once. */
int progress_answered(struct progress *p, int rc, struct cooc_err *err);

/* The part of the last phase that is done, in percent; -1 if it is unknown. */
int progress_percent(const struct progress *p);

/* Print an amount: "3.2 million pairs", "1 pair" or "3.2 MB".  The unit is a
 * plural that ends in s. */
void print_amount(FILE *to, double v, const char *unit);

/* The estimate hook: prints the estimate before a count starts; self is the
 * struct progress. */
int show_estimate(void *self, const struct cooc_estimate *e);

/* After counting failed with rc, add to the error what is kept and how to
 * continue; again: the same command continues the count.  Returns rc. */
int describe_failed_count(int rc, const struct progress *p,
                          const struct cooc_count_report *r, const char *store,
                          bool again, struct cooc_err *err);

/* The number of the signal that was caught, or 0. */
int interrupted(void);

/* From now on, SIGINT, SIGTERM and SIGHUP end the program at once, with a
 * message on stderr and status 128 + signal; for phases that only read and
 * print. */
void signals_end_at_once(void);

#endif
