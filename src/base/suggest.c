/* suggest.c - "did you mean": the known name nearest to a mistyped one.
 *
 * A name is near if a third of the word's letters or fewer are wrong, or if
 * the word is its beginning ("stat" for "stats", "min" for "min-df").
 */
#include "base/suggest.h"

#include <limits.h>
#include <string.h>

#include "base/utf8.h"

size_t suggest_code_points(const char *s, size_t len, int32_t out[SUGGEST_LEN])
{
    const uint8_t *p = (const uint8_t *)s, *end = p + len;
    size_t n = 0;

    for (; p < end && n < SUGGEST_LEN; n++)
        p += utf8_next(p, end, &out[n]);
    return p == end ? n : 0;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Damerau's distance with three rows of the usual table. */
unsigned edit_distance(const int32_t *a, size_t n, const int32_t *b,
                       size_t m, unsigned limit)
{
    unsigned rows[3][SUGGEST_LEN + 1];
    unsigned *before = rows[0], *above = rows[1], *now = rows[2];

    if ((n > m ? n - m : m - n) > limit)
        return limit + 1;
    for (size_t j = 0; j <= m; j++)
        now[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *spare = before, least = (unsigned)i;

        before = above;
        above = now;
        now = spare;
        now[0] = least;
        for (size_t j = 1; j <= m; j++) {
            unsigned d = above[j - 1] + (a[i - 1] != b[j - 1]);

            d = smaller(d, smaller(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1])
                d = smaller(d, before[j - 2] + 1);
            now[j] = d;
            least = smaller(least, d);
        }
        if (least > limit)
            return limit + 1;
    }
    return smaller(now[m], limit + 1);
}

void suggest_init(struct suggest *n, const char *word)
{
    *n = (struct suggest){ .word = word, .distance = UINT_MAX };
}

void suggest_try(struct suggest *n, const char *name)
{
    int32_t a[SUGGEST_LEN], b[SUGGEST_LEN];
    size_t len = suggest_code_points(n->word, strlen(n->word), a);
    size_t m = suggest_code_points(name, strlen(name), b);
    unsigned limit = len < 3 ? 1 : ((unsigned)len + 2) / 3;
    unsigned d = len && m ? edit_distance(a, len, b, m, limit) : UINT_MAX;

    if (len >= 2 && !strncmp(n->word, name, strlen(n->word)))
        d = smaller(d, 1);
    if (d <= limit && d < n->distance) {
        n->best = name;
        n->distance = d;
    }
}
