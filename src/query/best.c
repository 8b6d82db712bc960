/* best.c - a bounded heap of hits. */
#include "query/best.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

/* < 0: a is the better one. */
static int compare(const void *x, const void *y)
{
    const struct cooc_hit *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->pair.x != b->pair.x)
        return a->pair.x < b->pair.x ? -1 : 1;
    return (a->pair.y > b->pair.y) - (a->pair.y < b->pair.y);
}

static void swap(struct cooc_hit *a, struct cooc_hit *b)
{
    struct cooc_hit t = *a;

    *a = *b;
    *b = t;
}

static void sift_down(struct best *b)
{
    for (size_t i = 0;;) {
        size_t worst = i;

        for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < b->n; k++)
            if (compare(&b->hits[k], &b->hits[worst]) > 0)
                worst = k;
        if (worst == i)
            return;
        swap(&b->hits[i], &b->hits[worst]);
        i = worst;
    }
}

int best_add(struct best *b, const struct cooc_hit *hit, struct cooc_err *err)
{
    const struct cooc_hit *weakest = best_weakest(b);
    int rc;

    if (weakest) {
        if (compare(hit, weakest) < 0) {
            b->hits[0] = *hit;
            sift_down(b);
        }
        return 0;
    }
    rc = array_grow(&b->hits, &b->cap, b->n + 1, sizeof *b->hits, err);
    if (rc < 0)
        return rc;
    b->hits[b->n++] = *hit;
    for (size_t i = b->n - 1; b->limit && i; i = (i - 1) / 2) {
        if (compare(&b->hits[i], &b->hits[(i - 1) / 2]) <= 0)
            break;
        swap(&b->hits[i], &b->hits[(i - 1) / 2]);
    }
    return 0;
}

void best_sort(struct best *b)
{
    if (b->n)
        qsort(b->hits, b->n, sizeof *b->hits, compare);
}

void best_release(struct best *b)
{
    mem_free(b->hits);
    *b = (struct best){ 0 };
}
