/* row_facts.h - which rows a store has in its files, and their size. */
#ifndef COOC_ASK_ROW_FACTS_H
#define COOC_ASK_ROW_FACTS_H

#include "ask/answer.h"

struct row_facts {
    uint64_t pairs;       /* distinct, in all rows */
    uint32_t left_out_df; /* rows of terms up to this df are not written */
    uint64_t left_out_rows, left_out_pairs;
    uint64_t row_bytes;
};

/* label: what the number of pairs is called. */
void row_facts_answer(struct answer *a, const char *label,
                      const struct row_facts *f);

/* a / b, and 0 where b is 0. */
double ratio(double a, double b);

#endif
