/* measure_list.c - measures that the user names, as columns of a list. */
#include "ask/measure_list.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/suggest.h"

int find_measure(const char *option, const char *name,
                 const struct cooc_measure **m, struct cooc_err *err)
{
    const struct cooc_measure *one;
    struct suggest near;
    int rc = cooc_measure_find(name, m, err);

    if (rc == 0)
        return 0;
    suggest_init(&near, name);
    for (unsigned i = 0; (one = cooc_measure_get(i)) != NULL; i++)
        suggest_try(&near, one->name);
    if (near.best)
        return err_set(err, COOC_EINVAL,
                       "--%s: unknown measure '%.80s'; did you mean '%s'? "
                       "'cooc measures' lists them all", option, name,
                       near.best);
    return rc;
}

int measure_list_add(struct measure_list *list, const struct cooc_measure *m,
                     struct cooc_err *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->m[i] == m)
            return 0;
    if (list->n == MEASURES_MAX)
        return err_set(err, COOC_ELIMIT,
                       "--measures takes at most %zu measures", list->n);
    list->m[list->n++] = m;
    return 0;
}

int measure_list_parse(struct measure_list *list, const char *names,
                       struct cooc_err *err)
{
    const struct cooc_measure *m;
    int rc = 0;

    list->n = 0;
    if (!strcmp(names, "none"))
        return 0;
    if (!strcmp(names, "all")) {
        for (unsigned i = 1; (m = cooc_measure_get(i)) != NULL && rc == 0; i++)
            rc = measure_list_add(list, m, err);
        return rc;
    }
    for (;;) {
        size_t len = strcspn(names, ",");
        char name[81];

        snprintf(name, sizeof name, "%.*s", (int)(len > 80 ? 80 : len),
                 names);
        rc = find_measure("measures", name, &m, err);
        if (rc == 0 && m != cooc_measure_get(0)) /* the count has its column */
            rc = measure_list_add(list, m, err);
        if (rc < 0 || !names[len])
            return rc;
        names += len + 1;
    }
}

void measure_list_fields(const struct measure_list *list, size_t offset,
                         struct field fields[FIELDS_MAX])
{
    for (size_t i = 0; i < list->n; i++) {
        const struct field more[] = {
            { .kind = FIELD_KIND_REAL, .label = list->m[i]->name,
              .decimals = 4, .offset = offset + i * sizeof(double) },
            FIELD_END
        };

        fields_add(fields, more);
    }
}

void measure_list_scores(const struct measure_list *list,
                         const struct cooc_pair *p, double *scores)
{
    for (size_t i = 0; i < list->n; i++)
        scores[i] = cooc_score(p, list->m[i]);
}
