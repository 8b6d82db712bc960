/* progress.h - one line on stderr while the library works, and Ctrl-C.
 *
 * At a terminal the line is rewritten in place and cleared at the end; into
 * a file or pipe goes a plain line, at most every ten seconds; for programs a
 * JSON object a line, when a phase begins and every second.  The first
 * SIGINT, SIGTERM or SIGHUP makes the hook ask the library to stop; a second
 * kills.
 */
#ifndef COOC_CLI_PROGRESS_H
#define COOC_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "cooc_build.h"

struct job_stats;

struct progress {
    bool quiet, terminal;
    bool json;       /* for programs; set it after progress_start() */
    struct job_stats *stats; /* NULL, or told of the phases; likewise */
    bool drawn;      /* a line stands on the terminal */
    char phase[32];
    double started;  /* the phase, in seconds */
    double said;     /* when we last wrote */
    struct cooc_progress first, last; /* of the phase */
};

/* Catch the signals, start the clock, and return the hook to hand to the
 * library; p must outlive its use. */
struct cooc_watch progress_start(struct progress *p, bool quiet);

/* Take the line away again, so that results and errors start clean. */
void progress_clear(struct progress *p);

/* The same before an answer is printed, with the result of the work: a signal
 * has come, or will end the program at once. */
int progress_answered(struct progress *p, int rc, struct cooc_err *err);

/* How much of the last phase was done, in percent; -1 if nobody knows. */
int progress_percent(const struct progress *p);

/* "3.2 million pairs", "1 pair", or "3.2 MB"; the unit is a plural in s. */
void print_amount(FILE *to, double v, const char *unit);

/* The estimate hook: what a count will take, said before it begins; self is the
 * struct progress. */
int show_estimate(void *self, const struct cooc_estimate *e);

/* Counting failed with rc: add to the error what is kept and how to go on.
 * again: the same command would do.  Returns rc. */
int describe_failed_count(int rc, const struct progress *p,
                          const struct cooc_count_report *r, const char *store,
                          bool again, struct cooc_err *err);

/* The signal that asked us to stop, or 0. */
int interrupted(void);

/* From now on SIGINT, SIGTERM and SIGHUP end the program at once, with a word
 * on stderr and status 128 + signal; for what only reads and prints. */
void signals_end_at_once(void);

#endif
