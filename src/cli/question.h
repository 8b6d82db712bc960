/* question.h - commands that are questions: parse, ask, print. */
#ifndef COOC_CLI_QUESTION_H
#define COOC_CLI_QUESTION_H

#include "cli/cmd.h"
#include "cli/out.h"

/* How to print, whatever the question. */
struct form_args {
    bool stems, json;
    bool matrix; /* within */
};

/* A question that can be printed in a form of its own. */
struct printer {
    const struct opt *options; /* for struct form_args; NULL: --json */
    /* What goes together; may be NULL. */
    int (*check)(const struct form_args *form, const void *args,
                 struct cooc_err *err);
    /* Print it, or leave it to the question: *done. */
    int (*print)(struct out *o, const struct asked *q,
                 const struct form_args *form, bool *done,
                 struct cooc_err *err);
};

extern const struct printer printer_measures, printer_matrix;

#define JSON_LINES "print one JSON object a line"

int question_run(const struct cmd *cmd, const struct form_args *form,
                 const void *args, int argc, char **argv,
                 struct cooc_err *err);

#endif
