/* ask_measures.c - "measures": the table of association measures. */
#include "ask/ask.h"

struct measure_row {
    struct cooc_measure measure;
    const char *strong;
};

static const struct field fields[] = {
    FIELD_TEXT(struct measure_row, measure.name, "measure"),
    FIELD_TEXT(struct measure_row, measure.formula, "formula"),
    FIELD_TEXT(struct measure_row, measure.range, "range"),
    FIELD_TEXT(struct measure_row, strong, "strong"),
    FIELD_BOOL(struct measure_row, measure.directed, "directed"),
    FIELD_TEXT(struct measure_row, measure.zero, "zero cells"),
    FIELD_TEXT(struct measure_row, measure.title, "what"),
    FIELD_END
};

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct cooc_measure *m;
    int rc = 0;

    (void)q;
    answer_list(a, NULL, fields);
    for (unsigned i = 0; (m = cooc_measure_get(i)) != NULL && rc == 0; i++)
        rc = answer_row(a, &(struct measure_row){ *m, m->lower ? "low"
                                                               : "high" },
                        err);
    return rc < 0 ? rc : answer_list_end(a, err);
}

const struct question question_measures = {
    .usage = {
        .name = "measures",
        .args = "[options]",
        .summary = "list the measures of association, with their formulas",
        .details = "For terms x and y: a documents hold both, b x only, c y "
                   "only, d neither; N is all of them, fx = a + b, fy = a + "
                   "c, and E = fx fy / N is the count to be expected by "
                   "chance.  In the last formulas O and E run over the four "
                   "cells.  Any of these can be given to --by.",
        .examples = "cooc measures\n"
                    "cooc measures --json | jq -r .measure\n",
    },
    .storeless = true,
    .ask = ask,
};
