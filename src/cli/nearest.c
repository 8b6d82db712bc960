/* nearest.c - "did you mean": the known name nearest to a mistyped one.
 *
 * A name is near if a third of the word's letters or fewer are wrong, or if
 * the word is its beginning ("stat" for "stats", "min" for "min-df").
 */
#include "cli/nearest.h"

#include <stdint.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Damerau's distance with three rows of the usual table. */
size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][NEAREST_LEN + 1];
    size_t *before = rows[0], *above = rows[1], *now = rows[2];
    size_t n = strlen(a), m = strlen(b);

    if (n > NEAREST_LEN || m > NEAREST_LEN)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        now[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *spare = before;

        before = above;
        above = now;
        now = spare;
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t d = above[j - 1] + (a[i - 1] != b[j - 1]);

            d = smaller(d, smaller(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1])
                d = smaller(d, before[j - 2] + 1);
            now[j] = d;
        }
    }
    return now[m];
}

void nearest_init(struct nearest *n, const char *word)
{
    *n = (struct nearest){ .word = word, .distance = SIZE_MAX };
}

void nearest_try(struct nearest *n, const char *name)
{
    size_t len = strlen(n->word);
    size_t d = edit_distance(n->word, name);
    size_t limit = len < 3 ? 1 : (len + 2) / 3;

    if (len >= 2 && !strncmp(n->word, name, len))
        d = smaller(d, 1);
    if (len && d <= limit && d < n->distance) {
        n->best = name;
        n->distance = d;
    }
}
