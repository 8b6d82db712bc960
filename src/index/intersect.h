/* intersect.h - the intersection of two ascending lists.
 *
 * Lists of similar length are merged.  If one list is more than 16
 * times as long as the other, the ids of the shorter list are searched
 * in the longer one.
 */
#ifndef COOC_INTERSECT_H
#define COOC_INTERSECT_H

#include <stddef.h>
#include <stdint.h>

#define INTERSECT_MUCH_LONGER 16 /* times as long: search instead of merging */

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

/* Find the first id in [ids, end) that is not below want, by galloping: double
 * the step size, then bisect. */
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

/* Return the number of common ids.  Unless out is NULL, write them to out. */
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
