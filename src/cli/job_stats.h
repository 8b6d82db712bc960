/* job_stats.h - what each phase of a job took, for --stats-json FILE. */
#ifndef COOC_CLI_JOB_STATS_H
#define COOC_CLI_JOB_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;

enum { PHASES_MAX = 32 };

struct phase_stats {
    char name[32];
    double wall, cpu;          /* seconds */
    uint64_t read, written;    /* bytes, by system calls */
    uint64_t peak;             /* bytes of memory, at the end */
};

struct job_stats {
    const char *path; /* NULL: not wanted */
    struct phase_stats phases[PHASES_MAX], begun;
    size_t n;
    bool running;
};

int job_stats_init(struct job_stats *s, const char *path,
                   struct cooc_err *err);

/* The phase at hand ends and another begins; NULL: none does. */
void job_stats_phase(struct job_stats *s, const char *name);

/* Write the file, whole or not at all: facts first, then phases and sums.  rc
 * is how the job ended; returns it, or what writing came to if that was 0. */
struct job_facts;
int job_stats_end(struct job_stats *s, int rc, const struct job_facts *facts,
                  struct cooc_err *err);

#endif
