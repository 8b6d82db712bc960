/* print_measures.c - "cooc measures" to a person. */
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/text.h"

/* The formulas are too long for columns. */
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

static int print(struct out *o, const struct asked *q,
                 const struct form_args *form, bool *done,
                 struct cooc_err *err)
{
    const struct cooc_measure *m;

    (void)q, (void)form, (void)err;
    *done = o->form == OUT_HUMAN;
    for (unsigned i = 0; *done && (m = cooc_measure_get(i)) != NULL; i++)
        show_measure(m, terminal_width(STDOUT_FILENO));
    return 0;
}

const struct printer printer_measures = { .print = print };
