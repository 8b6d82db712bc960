/* report.h - what indexing, counting and merging did, as facts. */
#ifndef COOC_CLI_REPORT_H
#define COOC_CLI_REPORT_H

#include "cli/out.h"
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

#endif
