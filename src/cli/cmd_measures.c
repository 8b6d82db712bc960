/* cmd_measures.c - "cooc measures": the table of association measures. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/shared.h"
#include "cli/text.h"

static int print_measure(struct out *o, const struct cooc_measure *m,
                         struct cooc_err *err)
{
    const char *strong = m->lower ? "low" : "high";
    const struct cell cells[] = {
        CELL_TEXT(m->name, strlen(m->name)),
        CELL_TEXT(m->formula, strlen(m->formula)),
        CELL_TEXT(m->range, strlen(m->range)),
        CELL_TEXT(strong, strlen(strong)),
        CELL_BOOL(m->directed),
        CELL_TEXT(m->zero, strlen(m->zero)),
        CELL_TEXT(m->title, strlen(m->title)),
    };

    return out_row(o, cells, err);
}

/* To a person: the formulas are too long for columns. */
static void show_measure(const struct cooc_measure *m, size_t width)
{
    enum { INDENT = 17 };
    char text[300];

    printf("%-*s", INDENT, m->name);
    snprintf(text, sizeof text, "%s%s%s", m->title,
             m->directed ? "; directed" : "",
             m->lower ? "; low is strong" : "");
    text_wrap(stdout, text, INDENT, INDENT, width);
    printf("%*s", INDENT, "");
    snprintf(text, sizeof text, "%s; range %s", m->formula, m->range);
    if (strcmp(m->zero, "none") && strcmp(m->zero, "0"))
        snprintf(text, sizeof text, "%s; range %s (%s)", m->formula,
                 m->range, m->zero);
    text_wrap(stdout, text, INDENT, INDENT, width);
}

static int run_measures(int argc, char **argv, struct cooc_err *err)
{
    static const struct column columns[] = {
        { "measure", 0 }, { "formula", 0 }, { "range", 0 }, { "strong", 0 },
        { "directed", 0 }, { "zero cells", 0 }, { "what", 0 }
    };
    bool json = false;
    const struct opt opts[] = {
        OPT_FLAG(0, "json", &json, JSON_LINES),
        OPT_END
    };
    const struct cooc_measure *m;
    struct out out;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_measures, 0, 0, err);
    if (rc)
        return rc;
    out_init(&out, stdout, out_form(json));
    if (out.form == OUT_HUMAN) {
        size_t width = terminal_width(STDOUT_FILENO);

        for (unsigned i = 0; (m = cooc_measure(i)) != NULL; i++)
            show_measure(m, width);
        return 0;
    }
    out_list(&out, NULL, columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; (m = cooc_measure(i)) != NULL; i++) {
        rc = print_measure(&out, m, err);
        if (rc < 0)
            goto out;
    }
    rc = out_list_end(&out, err);
out:
    out_release(&out);
    return rc;
}

const struct cmd cmd_measures = {
    .name = "measures", .group = CMD_ASK,
    .args = "[options]",
    .summary = "list the measures of association, with their formulas",
    .details = "For terms x and y: a documents hold both, b x only, c y only, "
               "d neither; N is all of them, fx = a + b, fy = a + c, and "
               "E = fx fy / N is the count to be expected by chance.  In the "
               "last formulas O and E run over the four cells.  Any of these "
               "can be given to --by.",
    .examples = "cooc measures\n"
                "cooc measures --json | jq -r .measure\n",
    .run = run_measures,
};
