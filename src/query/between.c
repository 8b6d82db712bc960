/* between.c - all pairs of two lists of terms, or of one list. */
#include "base/err.h"
#include "cooc_bulk.h"
#include "query/scratch.h"

#define PAIR_WORTH 2048 /* document ids counted in the time of one pair */

/* The count of term t in sorted entries, or 0. */
static uint32_t count_of(const struct entry *e, size_t n, uint32_t t)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (e[mid].term < t)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && e[low].term == t ? e[low].count : 0;
}

struct between {
    struct cooc *db;
    struct cooc_scratch *scratch;
    struct partners *partners; /* the partners in scratch */
    cooc_pair_fn fn;
    void *self;
};

/* Pair x with each of ys[0..n).  Getting all partners of x costs as much as its
 * documents are long; if the store is counted, a few pairs are cheaper one by
 * one. */
static int one_with_all(struct between *j, uint32_t x, const uint32_t *ys,
                        size_t n, struct cooc_err *err)
{
    const struct collection *c = &j->db->store.docs;
    bool singly;
    uint64_t df;
    int rc = collection_df(c, x, &df, err);

    singly = j->db->store.manifest.counted &&
             (double)df * (double)c->n_postings >
                 (double)n * PAIR_WORTH * c->n_docs;
    if (rc == 0 && !singly)
        rc = partners_of_term(j->partners, j->db, x, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct cooc_pair p;

        if (ys[i] == x)
            continue;
        rc = singly ? cooc_pair_get(j->db, x, ys[i], &p, err)
                    : db_pair(j->db, x, ys[i], &p, err);
        if (rc == 0 && !singly)
            p.count = count_of(j->partners->entries, j->partners->n, ys[i]);
        if (rc == 0)
            rc = j->fn(j->self, &p, err);
    }
    return rc;
}

int cooc_between(struct cooc *db, const uint32_t *xs, size_t n_xs,
                 const uint32_t *ys, size_t n_ys, cooc_pair_fn fn,
                 void *self, struct cooc_err *err)
{
    struct between j = { .db = db, .fn = fn, .self = self };
    int rc;

    err_clear(err);
    rc = scratch_get(&j.scratch, db, err);
    if (rc == 0)
        j.partners = &j.scratch->partners;
    for (size_t i = 0; i < n_xs && rc == 0; i++)
        rc = one_with_all(&j, xs[i], ys, n_ys, err);
    scratch_put(j.scratch, db);
    return rc;
}

int cooc_within(struct cooc *db, const uint32_t *terms, size_t n,
                cooc_pair_fn fn, void *self, struct cooc_err *err)
{
    struct between j = { .db = db, .fn = fn, .self = self };
    int rc;

    err_clear(err);
    rc = scratch_get(&j.scratch, db, err);
    if (rc == 0)
        j.partners = &j.scratch->partners;
    for (size_t i = 0; i + 1 < n && rc == 0; i++)
        rc = one_with_all(&j, terms[i], terms + i + 1, n - i - 1, err);
    scratch_put(j.scratch, db);
    return rc;
}
