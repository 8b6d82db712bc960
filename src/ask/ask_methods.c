/* ask_methods.c - "methods": the counting methods. */
#include "ask/ask.h"

#include "cooc_build.h"

struct method_row {
    struct cooc_method method;
    bool is_default;
};

static const struct field fields[] = {
    FIELD_TEXT(struct method_row, method.name, "method"),
    FIELD_BOOL(struct method_row, is_default, "default"),
    FIELD_TEXT(struct method_row, method.summary, "summary"),
    FIELD_END
};

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct cooc_method *m;
    int rc = 0;

    (void)q;
    answer_list(a, NULL, fields);
    for (unsigned i = 0; (m = cooc_method_get(i)) != NULL && rc == 0; i++)
        rc = answer_row(a, &(struct method_row){ *m, i == 0 }, err);
    return rc < 0 ? rc : answer_list_end(a, err);
}

const struct question question_methods = {
    .usage = {
        .name = "methods",
        .args = "[options]",
        .summary = "list the counting methods",
        .details = "Use this to choose a method for 'cooc count --method'. "
                   "All methods give the same counts; they differ in time "
                   "and memory. The default, bit-scan, is cooc's own; the "
                   "other methods are from Billerbeck et al., arXiv "
                   "2007.08709.",
        .output = "One row per method: its name, whether it is the default, "
                  "and how it works.",
        .examples = "cooc methods\n"
                    "cooc count letters.cooc --method list-scan --force\n",
    },
    .storeless = true,
    .ask = ask,
};
