/* random_lines.h - random documents, one per line. */
#ifndef COOC_TEST_RANDOM_LINES_H
#define COOC_TEST_RANDOM_LINES_H

#include "tools.h"

/* Lines of words.  The common words differ from part to part, so that merging
 * changes the order of terms.  For free(). */
static inline char *random_lines(uint64_t *seed, uint32_t docs, uint32_t words)
{
    size_t cap = (size_t)docs * 13 * 8 + 1, at = 0;
    char *text = malloc(cap);
    uint32_t shift = random_below(seed, words);

    assert_non_null(text);
    for (uint32_t d = 0; d < docs; d++) {
        uint32_t n = random_below(seed, 12);

        for (uint32_t i = 0; i < n; i++) {
            uint32_t w = random_below(seed, 1 + random_below(seed, words));

            at += (size_t)sprintf(text + at, "w%u ", (w + shift) % words);
        }
        text[at++] = '\n';
    }
    text[at] = '\0';
    return text;
}

#endif
