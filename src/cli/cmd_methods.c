/* cmd_methods.c - "cooc methods": the ways to count. */
#include <stdio.h>
#include <string.h>

#include "cli/shared.h"

static int run_methods(int argc, char **argv, struct cooc_err *err)
{
    static const struct column columns[] = { { "method", 0 },
                                             { "default", 0 },
                                             { "summary", 0 } };
    bool json = false;
    const struct opt opts[] = {
        OPT_FLAG(0, "json", &json, JSON_LINES),
        OPT_END
    };
    const struct cooc_method *m;
    struct out out;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_methods, 0, 0, err);
    if (rc)
        return rc;
    out_init(&out, stdout, out_form(json));
    out_list(&out, NULL, columns, 3);
    for (unsigned i = 0; (m = cooc_method(i)) != NULL; i++) {
        const struct cell cells[] = {
            CELL_TEXT(m->name, strlen(m->name)), CELL_BOOL(i == 0),
            CELL_TEXT(m->summary, strlen(m->summary)) };

        rc = out_row(&out, cells, err);
        if (rc < 0)
            goto out;
    }
    rc = out_list_end(&out, err);
out:
    out_release(&out);
    return rc;
}

const struct cmd cmd_methods = {
    .name = "methods", .group = CMD_MAKE,
    .args = "[options]",
    .summary = "list the ways to count",
    .details = "All give the same counts; they differ in time and memory.",
    .examples = "cooc methods\n",
    .run = run_methods,
};
