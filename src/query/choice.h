/* choice.h - what `top` and `pairs` do alike with a choice. */
#ifndef COOC_CHOICE_H
#define COOC_CHOICE_H

#include "query/best.h"
#include "query/score.h"

/* The strength that a pair must have at least. */
double choice_least(const struct cooc_choice *c, const struct scorer *s);

/* Hand out the hits, best first; their score was their strength so far. */
void choice_finish(const struct scorer *s, struct best *best,
                   struct cooc_hit **hits, size_t *n);

#endif
