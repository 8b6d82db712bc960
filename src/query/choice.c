/* choice.c - what `top` and `pairs` do alike with a choice. */
#include "query/choice.h"

#include <math.h>

void cooc_choice_init(struct cooc_choice *c)
{
    *c = (struct cooc_choice){ .min_score = NAN, .limit = 20 };
}

double choice_least(const struct cooc_choice *c, const struct scorer *s)
{
    if (isnan(c->min_score))
        return -INFINITY;
    return s->m->about.lower ? -c->min_score : c->min_score;
}

void choice_finish(const struct scorer *s, struct best *best,
                   struct cooc_hit **hits, size_t *n)
{
    best_sort(best);
    for (size_t i = 0; s->m->about.lower && i < best->n; i++)
        best->hits[i].score = -best->hits[i].score;
    *hits = best->hits;
    *n = best->n;
}
