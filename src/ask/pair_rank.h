/* pair_rank.h - the strongest of many pairs, or all of them in order. */
#ifndef COOC_ASK_PAIR_RANK_H
#define COOC_ASK_PAIR_RANK_H

#include "cooc.h"

struct ranked_pair {
    struct cooc_pair pair;
    double score;
    uint64_t number; /* equals stay in their order */
};

/* Set by and limit (0: all), the rest to zero. */
struct pair_rank {
    const struct cooc_measure *by;
    size_t limit;
    struct ranked_pair *pairs;
    size_t n, cap;
    uint64_t seen;
};

int pair_rank_add(struct pair_rank *r, const struct cooc_pair *p,
                  struct cooc_err *err);
/* Strongest first, no more than the limit. */
void pair_rank_sort(struct pair_rank *r);
void pair_rank_release(struct pair_rank *r);

#endif
