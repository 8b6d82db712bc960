/* small_docs.h - a small collection in memory, and its pairs by definition.
 *
 * The truth is a matrix: has[d * n_terms + t] says whether document d contains
 * term t.  Both indexes, forward and inverted, and the count of any pair are
 * computed from it.
 */
#ifndef COOC_TEST_SMALL_DOCS_H
#define COOC_TEST_SMALL_DOCS_H

#include "tools.h"

#include "base/mem.h"
#include "count/count_run.h"
#include "count/method.h"
#include "count/plan.h"
#include "rows/row_parts.h"

struct small_docs {
    uint32_t n_docs, n_terms;
    bool *has;
    uint64_t *fwd_off, *inv_off;
    uint32_t *fwd, *inv;
    struct lists forward, inverted;
};

static inline void small_docs_init(struct small_docs *s, uint32_t n_docs,
                                   uint32_t n_terms)
{
    size_t cells = (size_t)n_docs * n_terms;

    *s = (struct small_docs){ .n_docs = n_docs, .n_terms = n_terms };
    s->has = calloc(cells + 1, sizeof *s->has);
    s->fwd_off = calloc((size_t)n_docs + 1, sizeof *s->fwd_off);
    s->inv_off = calloc((size_t)n_terms + 1, sizeof *s->inv_off);
}

/* Build the forward and the inverted index once the matrix is filled. */
static inline void small_docs_finish(struct small_docs *s)
{
    size_t cells = (size_t)s->n_docs * s->n_terms, n = 0;

    s->fwd = malloc((cells + 1) * sizeof *s->fwd);
    s->inv = malloc((cells + 1) * sizeof *s->inv);
    for (uint32_t d = 0; d < s->n_docs; d++) {
        for (uint32_t t = 0; t < s->n_terms; t++)
            if (s->has[(size_t)d * s->n_terms + t])
                s->fwd[n++] = t;
        s->fwd_off[d + 1] = n;
    }
    n = 0;
    for (uint32_t t = 0; t < s->n_terms; t++) {
        for (uint32_t d = 0; d < s->n_docs; d++)
            if (s->has[(size_t)d * s->n_terms + t])
                s->inv[n++] = d;
        s->inv_off[t + 1] = n;
    }
    s->forward = (struct lists){ .off = s->fwd_off, .ids = s->fwd,
                                   .n = s->n_docs };
    s->inverted = (struct lists){ .off = s->inv_off, .ids = s->inv,
                                    .n = s->n_terms };
}

static inline void small_docs_release(struct small_docs *s)
{
    free(s->has);
    free(s->fwd_off);
    free(s->inv_off);
    free(s->fwd);
    free(s->inv);
}

/* "a b | b c": documents are separated by '|', terms are single letters, and
 * their ids are their positions in the alphabet. */
static inline void small_docs_parse(struct small_docs *s, const char *text)
{
    uint32_t n_docs = *text != '\0', n_terms = 0, d = 0;

    for (const char *p = text; *p; p++) {
        n_docs += *p == '|';
        if (*p >= 'a' && *p <= 'z' && (uint32_t)(*p - 'a') >= n_terms)
            n_terms = (uint32_t)(*p - 'a') + 1;
    }
    small_docs_init(s, n_docs, n_terms);
    for (const char *p = text; *p; p++) {
        d += *p == '|';
        if (*p >= 'a' && *p <= 'z')
            s->has[(size_t)d * n_terms + (size_t)(*p - 'a')] = true;
    }
    small_docs_finish(s);
}

/* Random documents; if skewed, terms with higher ids are rarer. */
static inline void small_docs_random(struct small_docs *s, uint32_t n_docs,
                                     uint32_t n_terms, bool skewed,
                                     uint64_t *seed)
{
    small_docs_init(s, n_docs, n_terms);
    for (uint32_t d = 0; d < n_docs; d++) {
        uint32_t density = random_below(seed, 1024);

        for (uint32_t t = 0; t < n_terms; t++)
            s->has[(size_t)d * n_terms + t] =
                random_below(seed, 1024) < (skewed ? 1500 / (t + 1)
                                                   : density);
    }
    small_docs_finish(s);
}

/* Number of documents that contain both s and t, by definition. */
static inline uint32_t small_docs_count(const struct small_docs *c,
                                        uint32_t s, uint32_t t)
{
    uint32_t n = 0;

    for (uint32_t d = 0; d < c->n_docs; d++)
        n += c->has[(size_t)d * c->n_terms + s] &&
             c->has[(size_t)d * c->n_terms + t];
    return n;
}

/* ---- rows received from count_run() ---------------------------------- */

struct kept_rows {
    uint32_t n_terms;
    uint32_t *counts; /* counts[t * n_terms + s] */
    uint32_t begun, ended, dropped;
    bool twice; /* a pair or a shard was delivered twice */
};

static inline int keep_row(void *self, uint32_t t,
                           const struct entry *e, size_t n,
                           struct cooc_err *err)
{
    struct kept_rows *k = self;

    (void)err;
    for (size_t i = 0; i < n; i++) {
        uint32_t *at = &k->counts[(size_t)t * k->n_terms + e[i].term];

        if (*at || !e[i].count)
            __atomic_store_n(&k->twice, true, __ATOMIC_RELAXED);
        *at = e[i].count;
    }
    return 0;
}

/* Like keep_row(), for a row in parts. */
static inline int keep_parts(void *self, uint32_t t,
                             const struct row_parts *row,
                             struct cooc_err *err)
{
    struct entry *e = NULL;
    size_t cap = 0, n;
    int rc = row_parts_expand(row, &e, &cap, &n, err);

    if (rc == 0)
        rc = keep_row(self, t, e, n, err);
    mem_free(e);
    return rc;
}

static inline int keep_begin(void *self, uint32_t shard,
                             struct row_sink *out, struct cooc_err *err)
{
    struct kept_rows *k = self;

    (void)shard;
    (void)err;
    __atomic_add_fetch(&k->begun, 1, __ATOMIC_RELAXED);
    *out = (struct row_sink){ .row = keep_row, .parts = keep_parts,
                              .self = k };
    return 0;
}

static inline int keep_end(void *self, uint32_t shard, struct row_sink *sink,
                           bool ok, struct cooc_err *err)
{
    struct kept_rows *k = self;

    (void)shard;
    (void)sink;
    (void)err;
    __atomic_add_fetch(ok ? &k->ended : &k->dropped, 1, __ATOMIC_RELAXED);
    return 0;
}

static inline void kept_rows_init(struct kept_rows *k, uint32_t n_terms)
{
    *k = (struct kept_rows){ .n_terms = n_terms };
    k->counts = calloc((size_t)n_terms * n_terms + 1, sizeof *k->counts);
}

/* Whether every kept count in rows [first, last) equals the definition. */
static inline bool kept_rows_right(const struct kept_rows *k,
                                   const struct small_docs *c,
                                   uint32_t first, uint32_t last)
{
    for (uint32_t t = 0; t < c->n_terms; t++)
        for (uint32_t s = 0; s < c->n_terms; s++) {
            uint32_t want = s < t && t >= first && t < last
                                ? small_docs_count(c, s, t)
                                : 0;

            if (k->counts[(size_t)t * c->n_terms + s] != want)
                return false;
        }
    return !k->twice;
}

#endif
