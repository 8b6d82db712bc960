/* measures.c - find a measure, and take it of a pair. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "query/score.h"

const struct cooc_measure *cooc_measure(unsigned i)
{
    return i < n_measures ? &measures[i].about : NULL;
}

/* The names, to be chosen from. */
static int unknown(const char *name, struct cooc_err *err)
{
    struct buf list = { 0 };
    int rc = 0;

    for (unsigned i = 0; i < n_measures && rc == 0; i++)
        rc = buf_printf(&list, NULL, "%s%s", i ? ", " : "",
                        measures[i].about.name);
    rc = err_set(err, COOC_EINVAL,
                 "there is no measure '%.40s'; the measures are %.*s", name,
                 (int)list.len, list.data ? list.data : "");
    buf_release(&list);
    return rc;
}

int cooc_measure_find(const char *name, const struct cooc_measure **m,
                      struct cooc_err *err)
{
    *m = NULL;
    for (unsigned i = 0; i < n_measures; i++)
        if (!strcmp(measures[i].about.name, name)) {
            *m = &measures[i].about;
            return 0;
        }
    return unknown(name, err);
}

const struct measure *measure_named(const struct cooc_measure *m)
{
    if (!m)
        return &measures[0];
    for (unsigned i = 0; i < n_measures; i++)
        if (m == &measures[i].about)
            return &measures[i];
    for (unsigned i = 0; i < n_measures; i++) /* a copy, then */
        if (m->name && !strcmp(measures[i].about.name, m->name))
            return &measures[i];
    return NULL;
}

double cooc_score(const struct cooc_pair *p, const struct cooc_measure *m)
{
    struct scorer s = { .m = measure_named(m) };

    return s.m ? scorer_score(&s, p) : 0;
}
