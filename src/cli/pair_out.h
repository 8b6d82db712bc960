/* pair_out.h - pairs of terms as a table, with the measures asked for.
 *
 *     PAIR_COUNTS   term1 term2 count df1 df2          measures
 *     PAIR_CELLS    term1 term2 a b c d expected       measures p
 *
 * a documents hold both terms, b the first alone, c the second alone, d
 * neither; p is the chance to meet in a documents or more: Fisher's exact
 * test.  A p that is no double any more is printed all the same.
 */
#ifndef COOC_CLI_PAIR_OUT_H
#define COOC_CLI_PAIR_OUT_H

#include "cli/out.h"
#include "cooc.h"

struct measure_list {
    const struct cooc_measure *m[OUT_COLUMNS - 9]; /* beside the rest */
    size_t n;
};

#define MEASURES_HELP                                                        \
    "columns to add, as pmi,llr; 'cooc measures' lists them; all: every one"

/* "pmi,llr", "all" or "none", as the value of --measures. */
int measure_list_parse(struct measure_list *list, const char *names,
                       struct cooc_err *err);
/* Add one that is not there yet. */
int measure_list_add(struct measure_list *list, const struct cooc_measure *m,
                     struct cooc_err *err);

enum pair_form { PAIR_COUNTS, PAIR_CELLS };

struct pair_out {
    struct out out;
    struct cooc *db;
    enum pair_form form;
    const struct measure_list *measures;
    double tests; /* PAIR_CELLS: above 0: a column p_adjusted for so many */
    struct column columns[OUT_COLUMNS];
    struct cell cells[OUT_COLUMNS];
    size_t n;
};

/* Set out, db, form, measures and tests, then begin; and end, or release. */
void pair_out_begin(struct pair_out *t);
int pair_out_row(struct pair_out *t, const struct cooc_pair *p,
                   struct cooc_err *err);
int pair_out_end(struct pair_out *t, struct cooc_err *err);
void pair_out_release(struct pair_out *t);

/* A word, and the term that it is. */
struct pair_word {
    const char *text;
    size_t len;
    bool known;
    uint32_t id;
};

/* PAIR_COUNTS: a pair of which a word is no term.  Counts are 0, measures not
 * a number. */
int pair_out_unknown(struct pair_out *t, const struct pair_word *x,
                       const struct pair_word *y, struct cooc_err *err);

#endif
