/* letters.h - small collections of one-letter words, as open stores. */
#ifndef COOC_TEST_LETTERS_H
#define COOC_TEST_LETTERS_H

#include "rank_tools.h"
#include "small_docs.h"

/* Index and count a collection, written as lines of letters.  ids[t] is the id
 * of the t-th letter, or UINT32_MAX if no document contains it. */
static inline struct cooc *open_letters(const char *dir,
                                        const struct small_docs *c,
                                        uint32_t *ids)
{
    char *lines = calloc(1, (size_t)c->n_docs * (2 * c->n_terms + 3) + 9);
    char *p = lines, *store;
    struct cooc_err err = { 0 };
    struct cooc *db;

    for (uint32_t d = 0; d < c->n_docs; d++) {
        p += sprintf(p, "~"); /* not a word, but the line is not empty */
        for (uint32_t t = 0; t < c->n_terms; t++)
            if (c->has[d * c->n_terms + t])
                p += sprintf(p, " %c", 'a' + (int)t);
        *p++ = '\n';
    }
    store = make_store(dir, "s", lines, true);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (uint32_t t = 0; t < c->n_terms; t++) {
        char letter = (char)('a' + t);

        if (cooc_term_find(db, &letter, 1, &ids[t], &err) < 0)
            ids[t] = UINT32_MAX;
    }
    free(lines);
    free(store);
    return db;
}

static bool lower_first; /* the current measure is a distance */

static inline int better(const void *x, const void *y)
{
    const struct cooc_hit *a = x, *b = y;

    if (a->score != b->score)
        return (a->score > b->score) != lower_first ? -1 : 1;
    if (a->pair.x != b->pair.x)
        return a->pair.x < b->pair.x ? -1 : 1;
    return a->pair.y < b->pair.y ? -1 : 1;
}

static inline void check_hits(const char *what, const struct cooc_hit *got,
                              size_t n, const struct cooc_hit *want, size_t m,
                              size_t limit)
{
    if (!limit)
        limit = 20;
    if (m > limit)
        m = limit;
    if (n != m)
        fail_msg("%s: %zu hits, expected %zu", what, n, m);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i].pair, &want[i].pair, sizeof got[i].pair) != 0 ||
            got[i].score != want[i].score)
            fail_msg("%s: hit %zu is %u-%u, expected %u-%u", what, i,
                     got[i].pair.x, got[i].pair.y, want[i].pair.x,
                     want[i].pair.y);
}

#endif
