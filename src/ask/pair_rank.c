/* pair_rank.c - the strongest of many pairs, or all of them in order.
 *
 * Pairs are gathered until there are twice as many as are wanted; then they
 * are sorted and the weaker half is dropped.
 */
#include "ask/pair_rank.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"

enum { ROOM_MIN = 4096 };

static int stronger(const struct ranked_pair *a, const struct ranked_pair *b)
{
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static int high_first(const void *a, const void *b)
{
    return stronger(a, b);
}

static int low_first(const void *a, const void *b)
{
    const struct ranked_pair *x = a, *y = b;

    return x->score != y->score ? -stronger(x, y) : stronger(x, y);
}

void pair_rank_sort(struct pair_rank *r)
{
    if (r->n)
        qsort(r->pairs, r->n, sizeof *r->pairs,
              r->by->lower ? low_first : high_first);
    if (r->limit && r->n > r->limit)
        r->n = r->limit;
}

static int make_room(struct pair_rank *r, struct cooc_err *err)
{
    size_t cap = r->cap ? r->cap * 2 : ROOM_MIN;
    struct ranked_pair *pairs;

    if (r->limit && r->n / 2 >= r->limit) {
        pair_rank_sort(r);
        return 0;
    }
    pairs = mem_resize(r->pairs, cap, sizeof *pairs);
    if (!pairs)
        return err_set(err, COOC_ENOMEM, "out of memory after %zu pairs; "
                       "give -n to keep only the strongest", r->n);
    r->pairs = pairs;
    r->cap = cap;
    return 0;
}

int pair_rank_add(struct pair_rank *r, const struct cooc_pair *p,
                  struct cooc_err *err)
{
    int rc = r->n < r->cap ? 0 : make_room(r, err);

    if (rc == 0)
        r->pairs[r->n++] = (struct ranked_pair){
            *p, cooc_score(p, r->by), r->seen++
        };
    return rc;
}

void pair_rank_release(struct pair_rank *r)
{
    mem_free(r->pairs);
    r->pairs = NULL;
    r->n = r->cap = 0;
}
