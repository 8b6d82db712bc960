/* measure_list.h - measures that the user names, as columns of a list. */
#ifndef COOC_ASK_MEASURE_LIST_H
#define COOC_ASK_MEASURE_LIST_H

#include "ask/answer.h"

enum { MEASURES_MAX = FIELDS_MAX - 10 }; /* next to the other columns */

struct measure_list {
    const struct cooc_measure *m[MEASURES_MAX];
    size_t n;
};

#define MEASURES_HELP                                                        \
    "add these measures as columns, as in pmi,llr or all"

/* "pmi,llr", "all" or "none", as the value of --measures. */
int measure_list_parse(struct measure_list *list, const char *names,
                       struct cooc_err *err);
/* Add one that is not there yet. */
int measure_list_add(struct measure_list *list, const struct cooc_measure *m,
                     struct cooc_err *err);

/* Append the measures to the fields of a record, which has their scores from
 * offset on. */
void measure_list_fields(const struct measure_list *list, size_t offset,
                         struct field fields[FIELDS_MAX]);
/* Those scores. */
void measure_list_scores(const struct measure_list *list,
                         const struct cooc_pair *p, double *scores);

/* The measure of that name, the value of --option. */
int find_measure(const char *option, const char *name,
                 const struct cooc_measure **m, struct cooc_err *err);

#endif
