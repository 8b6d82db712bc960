/* job_args.c - options and helpers shared by the long-running commands. */
#include "cli/job_args.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "ask/term_args.h"
#include "base/err.h"
#include "cli/program.h"
#include "cooc_build.h"

const struct opt job_options[] = {
    OPT_TITLE("Running"),
    OPT_THREADS(struct job_args, threads, "use N threads"),
    OPT_SIZE(struct job_args, memory, 0, "memory", "half of RAM",
             "use at most SIZE, as in 8G"),
    OPT_END
};

const struct opt report_options[] = {
    OPT_FLAG(struct job_args, quiet, 'q', "quiet",
             "suppress progress and the report"),
    OPT_FLAG(struct job_args, verbose, 0, "verbose",
             "print the full report and every file that was skipped"),
    OPT_FLAG(struct job_args, json, 0, "json",
             "print the report as one JSON object"),
    OPT_FLAG(struct job_args, progress_json, 0, "progress-json",
             "write progress to stderr, one JSON object per line"),
    OPT_TEXT(struct job_args, stats_file, 0, "stats-json", "FILE", NULL,
             "write time, I/O and memory per phase to FILE"),
    OPT_END
};

const char *const rows_kinds[] = { "full", "compact", NULL };
const char *const old_rows_kinds[] = { "all", "costly", NULL };

enum cooc_row_set rows_kind(const char *name)
{
    return !name                         ? COOC_ROWS_DEFAULT
           : !strcmp(name, rows_kinds[0]) ? COOC_ROWS_FULL
                                          : COOC_ROWS_COMPACT;
}

struct cooc_watch job_watch(const struct job_args *r, struct progress *p,
                            struct job_stats *stats)
{
    struct cooc_watch watch = progress_start(p, r->quiet || program_silent());

    p->json = r->progress_json;
    p->stats = stats;
    watch.estimate = show_estimate;
    return watch;
}

/* A word that occurs often, but not everywhere, for an example; "" if there is
 * none. */
static void example_word(struct cooc *db, char *word, size_t size)
{
    struct cooc_info info = COOC_INFO;

    *word = '\0';
    if (cooc_info_get(db, &info, NULL) < 0)
        return;
    for (uint32_t id = 0; id < info.terms && id < 2000; id++) {
        const char *name;
        uint64_t df;
        size_t len, n = 0;

        if (cooc_term_name(db, id, &name, &len, NULL) < 0 ||
            cooc_term_df(db, id, &df, NULL) < 0)
            return;
        while (n < len && name[n] >= 'a' && name[n] <= 'z')
            n++;
        if (n == len && len >= 6 && len < size &&
            df <= info.documents / 4 + 1) {
            memcpy(word, name, len);
            word[len] = '\0';
            return;
        }
    }
}

void suggest_query(const char *store, bool counted)
{
    struct cooc *db = NULL;
    char word[32] = "";

    if (cooc_open(&db, store, NULL) == 0)
        example_word(db, word, sizeof word);
    cooc_close(db);
    if (counted)
        printf("\nnext: cooc top %s %s --by llr\n", store,
               *word ? word : "WORD");
    else
        printf("\nnext: cooc count %s\n", store);
}

int hint_count(int rc, const char *store, struct cooc_err *err)
{
    if (rc == COOC_ENOTCOUNTED)
        return err_path(err, rc, store,
                        "the pairs of this store are not counted yet; run: "
                        "cooc count %s", store);
    return rc;
}

int store_info(const char *store, struct cooc_info *info,
               struct cooc_err *err)
{
    struct cooc *db = NULL;
    int rc = cooc_open(&db, store, err);

    cooc_init(info, sizeof *info);
    if (rc == 0)
        rc = cooc_info_get(db, info, err);
    cooc_close(db);
    return rc;
}

int check_directory(const char *dir, struct cooc_err *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+,";
    const char *quote;
    struct stat st;

    if (!dir)
        return 0;
    quote = strspn(dir, plain) == strlen(dir) ? "" : "'";
    if (stat(dir, &st) != 0)
        return errno != ENOENT ? 0 /* the library reports it */
                               : err_set(err, COOC_ENOTFOUND,
                                         "the directory %s does not exist; "
                                         "create it first: mkdir -p %s%s%s",
                                         dir, quote, dir, quote);
    if (!S_ISDIR(st.st_mode))
        return err_path(err, COOC_EIO, dir, "is not a directory");
    return 0;
}

int check_output(const char *path, struct cooc_err *err)
{
    size_t len = path ? strlen(path) : 0;
    const char *slash;
    char dir[PATH_MAX];

    while (len > 1 && path[len - 1] == '/')
        len--; /* the name of a store may end with a slash */
    slash = len ? memrchr(path, '/', len) : NULL;
    if (!slash || slash == path || slash - path >= PATH_MAX)
        return 0;
    snprintf(dir, sizeof dir, "%.*s", (int)(slash - path), path);
    return check_directory(dir, err);
}
