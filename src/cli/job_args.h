/* job_args.h - what the long-running commands have in common. */
#ifndef COOC_CLI_JOB_ARGS_H
#define COOC_CLI_JOB_ARGS_H

#include "ask/opt.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cooc.h"
#include "cooc_build.h"

/* How they run: threads, memory, what they say. */
struct job_args {
    uint32_t threads;
    uint64_t memory;
    bool force, quiet, json;
    bool progress_json;
    const char *stats_file;
};

/* The options of the member `how` of struct s; the help of --force differs. */
extern const struct opt job_options[], report_options[];
#define OPT_JOB(s, force_help)                                               \
    OPT_TABLE(s, how, job_options),                                          \
    OPT_FLAG(s, how.force, 'f', "force", force_help),                        \
    OPT_TABLE(s, how, report_options)

/* Whether the command reports what it did. */
static inline bool job_reports(const struct job_args *r)
{
    return !r->quiet || r->json;
}

/* Make p ready, and return the hooks for the library. */
struct cooc_watch job_watch(const struct job_args *r, struct progress *p,
                            struct job_stats *stats);

/* Which rows to write, as the names of --rows; NULL: as before. */
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

/* Is there the directory in which path is to be made?  NULL is fine. */
int check_output(const char *path, struct cooc_err *err);

/* Is dir, which may be NULL, a directory? */
int check_directory(const char *dir, struct cooc_err *err);

/* If rc says that a store lacks pairs, say what to type; returns rc. */
int hint_count(int rc, const char *store, struct cooc_err *err);

/* What a store says of itself. */
int store_info(const char *store, struct cooc_info *info,
               struct cooc_err *err);

#endif
