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
        .summary = "list the association measures and their formulas",
        .details = "Use this to choose a measure for --by or --measures. "
                   "Most measures compare the number of documents that two "
                   "terms share with the number expected if the terms were "
                   "independent.",
        .output = "One entry per measure, with its formula and its range. In "
                  "the formulas:\n"
                  "- x, y: the two terms\n"
                  "- a: number of documents that contain both\n"
                  "- b, c, d: numbers of documents that contain only x, only "
                  "y, and neither\n"
                  "- N: total number of documents, a + b + c + d\n"
                  "- fx, fy: document frequencies of x (a + b) and of y (a + "
                  "c)\n"
                  "- E: the expected value of a if the terms were "
                  "independent, fx fy / N\n"
                  "- O, E after sum: observed and expected value of a cell; "
                  "the sum is over the four cells a, b, c and d\n"
                  "A directed measure changes if x and y are swapped. Higher "
                  "values mean stronger association unless the list says "
                  "otherwise.",
        .examples = "cooc measures\n"
                    "cooc measures --json | jq -r .measure\n",
    },
    .storeless = true,
    .ask = ask,
};
