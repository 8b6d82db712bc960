/* report.h - what indexing and counting did, as facts. */
#ifndef COOC_CLI_REPORT_H
#define COOC_CLI_REPORT_H

#include "cli/out.h"
#include "cooc.h"

void report_index(struct out *o, const char *store,
                  const struct cooc_index_report *r);

/* What was skipped, dropped or cut, if anything was. */
void report_losses(struct out *o, const struct cooc_index_report *r);

/* documents: how many the store holds; 0 if unknown. */
void report_count(struct out *o, const struct cooc_count_report *r,
                  uint64_t documents);

/* Which rows are in the files, and what the others are. */
void report_rows(struct out *o, uint32_t left_out_df, uint64_t rows,
                 uint64_t pairs);

/* A run of index or count, for --stats-json; what was not done is NULL. */
struct run_facts {
    const char *command, *store;
    const struct cooc_index_report *indexed;
    const struct cooc_count_report *counted;
};

void report_run(struct out *o, const void *run_facts);

/* a / b, and 0 where b is 0. */
double ratio(double a, double b);

#endif
