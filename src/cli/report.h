/* report.h - what indexing, counting and merging did, as facts, and for
 * --stats-json FILE what each phase took. */
#ifndef COOC_CLI_REPORT_H
#define COOC_CLI_REPORT_H

#include "ask/answer.h"
#include "cooc.h"
#include "cooc_build.h"

void report_index(struct answer *a, const char *store,
                  const struct cooc_index_report *r);

/* documents: how many the store holds; 0 if unknown. */
void report_count(struct answer *a, const struct cooc_count_report *r,
                  uint64_t documents);

/* What a command did; what was not done is NULL. */
struct job_facts {
    const char *command, *store;
    const struct cooc_index_report *indexed;
    const struct cooc_count_report *counted;
    const struct cooc_merge_report *merged; /* by merge and add */
};

/* The report of merge or add on stdout. */
void report_merge(const struct job_facts *f, bool json);

/* Any command, for --stats-json. */
void report_job(struct answer *a, const struct job_facts *f);

enum { PHASES_MAX = 32 };

struct phase_stats {
    char name[32];
    double wall, cpu;          /* seconds */
    uint64_t read, written;    /* bytes, by system calls */
    uint64_t peak;             /* bytes of memory, at the end */
};

struct job_stats {
    const char *path; /* NULL: not wanted */
    struct phase_stats phases[PHASES_MAX];
    struct phase_stats begun; /* without a name: none */
    size_t n;
};

int job_stats_init(struct job_stats *s, const char *path,
                   struct cooc_err *err);

/* The phase at hand ends and another begins; NULL: none does. */
void job_stats_phase(struct job_stats *s, const char *name);

/* Write the file, whole or not at all: facts first, then phases and sums.  rc
 * is how the job ended; returns it, or what writing came to if that was 0. */
int job_stats_end(struct job_stats *s, int rc, const struct job_facts *facts,
                  struct cooc_err *err);

#endif
