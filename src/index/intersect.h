/* intersect.h - what two ascending lists have in common.
 *
 * Lists of similar length are merged; a short list is looked up in a long
 * one.
 */
#ifndef COOC_INTERSECT_H
#define COOC_INTERSECT_H

#include <stddef.h>
#include <stdint.h>

#define INTERSECT_MUCH_LONGER 16 /* look up rather than merge */

struct list {
    const uint32_t *ids, *end;
};

static inline size_t intersect_merge(struct list a, struct list b,
                                     uint32_t *out)
{
    size_t n = 0;

    while (a.ids < a.end && b.ids < b.end) {
        uint32_t x = *a.ids, y = *b.ids;

        if (out && x == y)
            out[n] = x;
        n += x == y;
        a.ids += x <= y;
        b.ids += y <= x;
    }
    return n;
}

/* The first id from ids on that is not below want: by doubling steps, then by
 * halving. */
static inline const uint32_t *list_seek(const uint32_t *ids,
                                        const uint32_t *end, uint32_t want)
{
    size_t left = (size_t)(end - ids), step = 1;

    while (step < left && ids[step] < want)
        step *= 2;
    left = step < left ? step + 1 : left;
    while (left > 0) {
        size_t half = left / 2;

        if (ids[half] < want) {
            ids += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return ids;
}

static inline size_t intersect_search(struct list shorter, struct list longer,
                                      uint32_t *out)
{
    size_t n = 0;

    for (; shorter.ids < shorter.end; shorter.ids++) {
        uint32_t want = *shorter.ids;

        longer.ids = list_seek(longer.ids, longer.end, want);
        if (longer.ids == longer.end)
            break;
        if (out && *longer.ids == want)
            out[n] = want;
        n += *longer.ids == want;
    }
    return n;
}

/* How many ids are in both; they go to out unless it is NULL. */
static inline size_t intersect(struct list a, struct list b, uint32_t *out)
{
    size_t n = (size_t)(a.end - a.ids), m = (size_t)(b.end - b.ids);

    if (!n || !m || a.end[-1] < *b.ids || b.end[-1] < *a.ids)
        return 0;
    if (n > m * INTERSECT_MUCH_LONGER)
        return intersect_search(b, a, out);
    if (m > n * INTERSECT_MUCH_LONGER)
        return intersect_search(a, b, out);
    return intersect_merge(a, b, out);
}

#endif
