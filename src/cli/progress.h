/* progress.h - one line on stderr while the library works, and Ctrl-C.
 *
 * At a terminal the line is rewritten in place and cleared at the end; into
 * a file or pipe goes a plain line, at most every ten seconds.  The first
 * SIGINT or SIGTERM makes the hook ask the library to stop; a second kills.
 */
#ifndef COOC_CLI_PROGRESS_H
#define COOC_CLI_PROGRESS_H

#include <stdbool.h>

#include "cooc.h"

struct progress {
    bool quiet, terminal;
    bool drawn;      /* a line stands on the terminal */
    char phase[32];
    double started;  /* the phase, in seconds */
    double said;     /* when we last wrote */
};

/* Catch the signals and start the clock. */
void progress_init(struct progress *p, bool quiet);

/* The hook to hand to the library; p must outlive its use. */
struct cooc_watch progress_watch(struct progress *p);

/* Take the line away again, so that results and errors start clean. */
void progress_clear(struct progress *p);

/* Was there a signal? */
bool interrupted(void);

/* Seconds on a clock that never jumps. */
double seconds_now(void);

#endif
