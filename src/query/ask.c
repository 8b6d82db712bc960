/* ask.c - questions that need only the collection: pair, top, docs.
 *
 * A pair is the intersection of two inverted lists.  The partners of a term,
 * rarer and more frequent alike, are what stands in its documents: the row
 * of the term only has half of them, and a scan of the documents is fast.
 */
#include "base/err.h"
#include "base/mem.h"
#include "count/accum.h"
#include "index/intersect.h"
#include "query/best.h"
#include "query/db.h"

static int get_list(const struct cooc *db, uint32_t t, struct list *out,
                    struct cooc_err *err)
{
    const uint32_t *docs;
    uint64_t n;
    int rc = collection_term_docs(&db->store.docs, t, &docs, &n, err);

    if (rc == 0)
        *out = (struct list){ .ids = docs, .end = docs + n };
    return rc;
}

int cooc_pair(struct cooc *db, uint32_t x, uint32_t y, struct cooc_pair *out,
              struct cooc_err *err)
{
    struct list a = { 0 }, b = { 0 };
    int rc = db_pair(db, x, y, out, err);

    if (rc == 0)
        rc = get_list(db, x, &a, err);
    if (rc == 0)
        rc = get_list(db, y, &b, err);
    if (rc == 0)
        out->count = intersect(a, b, NULL);
    return rc;
}

int cooc_docs(struct cooc *db, uint32_t x, uint32_t y, uint32_t **docs,
              size_t *n, struct cooc_err *err)
{
    struct list a = { 0 }, b = { 0 };
    int rc = get_list(db, x, &a, err);
    size_t most;

    *docs = NULL;
    *n = 0;
    if (rc == 0)
        rc = get_list(db, y, &b, err);
    if (rc < 0)
        return rc;
    most = (size_t)(a.end - a.ids < b.end - b.ids ? a.end - a.ids
                                                  : b.end - b.ids);
    *docs = mem_array(most, sizeof **docs);
    if (!*docs)
        return err_nomem(err);
    *n = intersect(a, b, *docs);
    return 0;
}

void cooc_docs_free(uint32_t *docs)
{
    mem_free(docs);
}

/* Count every term of x's documents; x itself counts df times. */
static int count_partners(const struct cooc *db, uint32_t x,
                          struct accum *acc, size_t *n, struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    const uint32_t *docs, *terms;
    uint64_t n_docs, len;
    int rc = collection_term_docs(c, x, &docs, &n_docs, err);

    if (rc < 0)
        return rc;
    accum_begin(acc, c->n_terms, /* a forged store may have no documents */
                n_docs ? n_docs * (c->n_postings / c->n_docs) : 0);
    for (uint64_t i = 0; i < n_docs; i++) {
        rc = collection_doc(c, docs[i], &terms, &len, err);
        if (rc < 0)
            return rc;
        accum_add(acc, terms, (size_t)len);
    }
    return accum_take(acc, c->n_terms, n, err);
}

int cooc_top(struct cooc *db, uint32_t x, enum cooc_measure by,
             uint64_t min_count, size_t limit, struct cooc_hit **hits,
             size_t *n, struct cooc_err *err)
{
    struct best best = { .limit = limit };
    struct cooc_hit hit;
    struct accum acc = { 0 };
    size_t partners = 0;
    int rc = db_check_measure(by, err);

    *hits = NULL;
    *n = 0;
    if (rc == 0)
        rc = db_pair(db, x, x, &hit.pair, err);
    if (rc == 0)
        rc = accum_init(&acc, db->store.docs.n_terms, err);
    if (rc == 0)
        rc = count_partners(db, x, &acc, &partners, err);
    for (size_t i = 0; i < partners && rc == 0; i++) {
        const struct cooc_entry *e = &acc.entries[i];

        if (e->term == x || e->count < min_count)
            continue;
        hit.pair.y = e->term;
        hit.pair.count = e->count;
        rc = collection_df(&db->store.docs, e->term, &hit.pair.df_y, err);
        hit.score = cooc_score(&hit.pair, by);
        if (rc == 0)
            rc = best_add(&best, &hit, err);
    }
    accum_release(&acc);
    if (rc < 0) {
        best_release(&best);
        return rc;
    }
    best_sort(&best);
    *hits = best.hits;
    *n = best.n;
    return 0;
}
