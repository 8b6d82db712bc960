/* report.h - print the reports of indexing, counting and merging, and write the
 * statistics of each phase for --stats-json FILE. */
#ifndef COOC_CLI_REPORT_H
#define COOC_CLI_REPORT_H

#include "ask/answer.h"
#include "cooc.h"
#include "cooc_build.h"

struct job_args;

void report_index(struct answer *a, const char *store,
                  const struct cooc_index_report *r);

/* The same in a few lines, for a terminal. */
void report_index_brief(struct answer *a, const char *store,
                        const struct cooc_index_report *r);

/* documents: number of documents in the store; 0 if unknown. */
void report_count(struct answer *a, const struct cooc_count_report *r,
                  uint64_t documents);

/* The reports of a command; steps that were not run are NULL. */
struct job_facts {
    const char *command, *store;
    const struct cooc_index_report *indexed;
    const struct cooc_count_report *counted;
    const struct cooc_merge_report *merged; /* for merge and add */
};

/* Print the report of merge or add to stdout. */
void report_merge(const struct job_facts *f, const struct job_args *how);

/* Print the report of any command for --stats-json. */
void report_job(struct answer *a, const struct job_facts *f);

enum { PHASES_MAX = 32 };

struct phase_stats {
    char name[32];
    double wall, cpu;          /* seconds */
    uint64_t read, written;    /* bytes read and written by system calls */
    uint64_t peak;             /* peak memory in bytes, at the end */
};

struct job_stats {
    const char *path; /* NULL: no statistics are collected */
    struct phase_stats phases[PHASES_MAX];
    struct phase_stats begun; /* values at the start of the phase; an empty
                               * name: no phase */
    size_t n;
};

int job_stats_init(struct job_stats *s, const char *path,
                   struct cooc_err *err);

/* End the current phase and begin the phase called name, or none if NULL. */
void job_stats_phase(struct job_stats *s, const char *name);

/* Write the file atomically: facts, then phases and totals. rc is the result
 * of the job.  Returns rc if it is not 0, otherwise the result of writing. */
int job_stats_end(struct job_stats *s, int rc, const struct job_facts *facts,
                  struct cooc_err *err);

#endif
