/* cmd_check.c - "cooc check": is a store whole and true? */
#include <stdio.h>

#include "cli/progress.h"
#include "cli/shared.h"

static int run_check(int argc, char **argv, struct cooc_err *err)
{
    uint32_t threads = 0;
    bool quiet = false, json = false;
    const struct opt opts[] = {
        OPT_U32('j', "threads", &threads, "N", "every core",
                "use N threads"),
        OPT_FLAG('q', "quiet", &quiet, "no progress, no report"),
        OPT_FLAG(0, "json", &json, JSON_OBJECT),
        OPT_END
    };
    struct cooc_check_report r = { 0 };
    struct progress progress;
    struct cooc_watch watch;
    struct out out;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_check, 1, 1, err);
    if (rc)
        return rc;
    progress_init(&progress, quiet);
    watch = progress_watch(&progress);
    rc = cooc_check(argv[0], threads, &watch, &r, err);
    rc = progress_answered(&progress, rc, err);
    if (rc < 0 || (quiet && !json))
        return rc;
    out_init(&out, stdout, out_form(json));
    out_open(&out);
    out_text(&out, "verdict", "good");
    out_count(&out, "files verified", r.files);
    out_count(&out, "bytes verified", r.bytes);
    out_count(&out, "rows verified", r.rows);
    out_count(&out, "pairs verified", r.pairs);
    out_count(&out, "increments verified", r.increments);
    out_close(&out);
    return 0;
}

const struct cmd cmd_check = {
    .name = "check", .group = CMD_KEEP,
    .args = "[options] NAME.cooc",
    .summary = "verify every checksum, order and sum of a store",
    .details = "Reads the whole store.  If something is wrong, the first such "
               "thing is named and the exit status is 1.",
    .examples = "cooc check news.cooc\n",
    .run = run_check,
};
