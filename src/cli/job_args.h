/* job_args.h - options and helpers shared by the long-running commands. */
#ifndef COOC_CLI_JOB_ARGS_H
#define COOC_CLI_JOB_ARGS_H

#include "ask/opt.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cooc.h"
#include "cooc_build.h"

/* The shared options: threads, memory, reports. */
struct job_args {
    uint32_t threads;
    uint64_t memory;
    bool force, quiet, verbose, json;
    bool progress_json;
    const char *stats_file;
};

/* The options that set the member `how` of struct s; each command has its own
 * help for --force. */
extern const struct opt job_options[], report_options[];
#define OPT_JOB(s, force_help)                                               \
    OPT_TABLE(s, how, job_options),                                          \
    OPT_FLAG(s, how.force, 'f', "force", force_help),                        \
    OPT_TABLE(s, how, report_options)

/* Whether the command prints its report. */
static inline bool job_reports(const struct job_args *r)
{
    return !r->quiet || r->json;
}

/* Whether the report is for a person who has not asked for all of it. */
static inline bool job_brief(const struct job_args *r, const struct answer *a)
{
    return a->form == OUT_HUMAN && !r->verbose;
}

/* Print the command to try next with a new store. */
void suggest_query(const char *store, bool counted);

/* Initialise p and return the hooks for the library. */
struct cooc_watch job_watch(const struct job_args *r, struct progress *p,
                            struct job_stats *stats);

/* The values of --rows, and the conversion of a value, or of NULL (the
 * default), for the library. */
extern const char *const rows_kinds[], *const old_rows_kinds[];
enum cooc_row_set rows_kind(const char *name);
#define OPT_ROWS(s, m, unset)                                                \
    { OPT_VALUE(OPT_KIND_NAME, const char *, s, m, 0, "rows", "ROWS", unset, \
                "store all rows, or omit those of rare terms"),              \
      .names = rows_kinds, .old_names = old_rows_kinds }
#define OPT_COMPACT_DF(s, m, help)                                           \
    { OPT_VALUE(OPT_KIND_U32, uint32_t, s, m, 0, "compact-df", "N",          \
                "automatic", help),                                          \
      .old_name = "costly-df" }

/* Returns 0 if the directory in which path will be created exists, or path is
 * NULL. */
int check_output(const char *path, struct cooc_err *err);

/* Returns 0 if dir is a directory, or NULL. */
int check_directory(const char *dir, struct cooc_err *err);

/* If rc is COOC_ENOTCOUNTED, put the command to run into the error.  Returns
 * rc. */
int hint_count(int rc, const char *store, struct cooc_err *err);

/* Open the store, get its info and close it. */
int store_info(const char *store, struct cooc_info *info,
               struct cooc_err *err);

#endif
