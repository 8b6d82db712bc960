/* measure_list.h - measures chosen by the user, as columns of a list. */
#ifndef COOC_ASK_MEASURE_LIST_H
#define COOC_ASK_MEASURE_LIST_H

#include "ask/answer.h"

enum { MEASURES_MAX = FIELDS_MAX - 10 }; /* 10 for the other columns */

struct measure_list {
    const struct cooc_measure *m[MEASURES_MAX];
    size_t n;
};

#define MEASURES_HELP                                                        \
    "add these measures as columns: pmi,llr,... or all"

/* Parse the value of --measures: names such as "pmi,llr", "all" or "none". */
int measure_list_parse(struct measure_list *list, const char *names,
                       struct cooc_err *err);
/* Add a measure unless it is in the list already. */
int measure_list_add(struct measure_list *list, const struct cooc_measure *m,
                     struct cooc_err *err);

/* Append one field per measure to the fields of a record that has the scores,
 * an array of doubles, at offset. */
void measure_list_fields(const struct measure_list *list, size_t offset,
                         struct field fields[FIELDS_MAX]);
/* Compute the scores of a pair, one per measure. */
void measure_list_scores(const struct measure_list *list,
                         const struct cooc_pair *p, double *scores);

/* Find the measure called name; errors mention --option. */
int find_measure(const char *option, const char *name,
                 const struct cooc_measure **m, struct cooc_err *err);

#endif
