/* row_facts.c - which rows a store has in its files, and their size. */
#include "ask/row_facts.h"

static const struct field left_out_fields[] = {
    FIELD_COUNT(struct row_facts, left_out_df, "left out up to df"),
    FIELD_COUNT(struct row_facts, left_out_rows, "rows left out"),
    FIELD_COUNT(struct row_facts, left_out_pairs, "pairs left out"),
    FIELD_END
};

double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

void row_facts_answer(struct answer *a, const char *label,
                      const struct row_facts *f)
{
    bool costly = f->left_out_df > 1; /* else: prefixes of documents */

    answer_count(a, label, f->pairs);
    answer_text(a, "rows written", costly ? "costly" : "all");
    if (costly)
        answer_facts(a, left_out_fields, f, NULL);
    answer_count(a, "bytes of pairs", f->row_bytes);
    answer_real(a, "bytes a pair",
                ratio((double)f->row_bytes, (double)f->pairs), 3);
}
