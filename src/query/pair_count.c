/* pair_count.c - in how many documents two terms meet.
 *
 * There are three ways, and the cheapest is taken.  With t the rarer term, df
 * its documents, s the other, L the mean length of a document:
 *
 *     lists       intersect the documents of both    df(s) + df(t) ids
 *     documents   look for s in those of t           df(t) * L ids
 *     row         look for s in the row of t, if it is written: what precedes
 *                 t in the vocabulary, a bit each, and the pairs beyond the
 *                 row's bitmap, of which there are 24 in 256 columns at most
 *
 * So two frequent terms are looked up in a short row, a rare one in its few
 * documents, and no pair takes long.  bench/latency.c measures them.
 */
#include <math.h>

#include "index/intersect.h"
#include "query/db.h"

/* Nanoseconds, measured; only their proportions matter. */
#define NS_CHECK 0.25   /* an id of a list that is checked for its order */
#define NS_MERGE 2.0    /* an id that is merged */
#define NS_SEEK 40.0    /* an id that is searched in a long list */
#define NS_DOCUMENT 500.0 /* to reach it in memory */
#define NS_ROW 300.0
#define NS_COLUMN 0.01  /* of a bitmap */
#define NS_GAP 0.8

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

static int by_lists(const struct cooc *db, uint32_t s, uint32_t t,
                    uint64_t *count, struct cooc_err *err)
{
    struct list a = { 0 }, b = { 0 };
    int rc = get_list(db, s, &a, err);

    if (rc == 0)
        rc = get_list(db, t, &b, err);
    if (rc == 0)
        *count = intersect(a, b, NULL);
    return rc;
}

static int by_documents(const struct cooc *db, uint32_t s, uint32_t t,
                        uint64_t *count, struct cooc_err *err)
{
    struct list docs = { 0 };
    int rc = get_list(db, t, &docs, err);

    for (; rc == 0 && docs.ids < docs.end; docs.ids++) {
        const uint32_t *terms;
        uint64_t n;

        rc = collection_doc(&db->store.docs, *docs.ids, &terms, &n, err);
        if (rc == 0)
            *count += intersect_search((struct list){ &s, &s + 1 },
                                       (struct list){ terms, terms + n },
                                       NULL);
    }
    return rc;
}

static int by_row(const struct cooc *db, uint32_t s, uint32_t t,
                  uint64_t *count, struct cooc_err *err)
{
    uint32_t found = 0;
    int rc = store_count(&db->store, t, s, &found, err);

    *count = found;
    return rc;
}

typedef int (*way_fn)(const struct cooc *db, uint32_t s, uint32_t t,
                      uint64_t *count, struct cooc_err *err);

static way_fn choose(const struct cooc *db, const struct cooc_pair *p,
                     uint32_t t)
{
    const struct collection *c = &db->store.docs;
    double df = fmin((double)p->fx, (double)p->fy);
    double more = fmax((double)p->fx, (double)p->fy);
    double ids = df * (double)c->n_postings / c->n_docs;
    double lists = (df + more) * NS_CHECK;
    double documents = df * NS_DOCUMENT + ids * NS_CHECK, row;

    lists += more > df * INTERSECT_MUCH_LONGER ? df * NS_SEEK
                                               : (df + more) * NS_MERGE;
    row = NS_ROW + t * NS_COLUMN +
          fmin(ids, (double)t * BLOCK_WORTH / BLOCK) * NS_GAP;
    if (db->store.manifest.counted && t < rows_written(&db->store.manifest) &&
        row < lists && row < documents)
        return by_row;
    return documents < lists ? by_documents : by_lists;
}

int cooc_pair_get(struct cooc *db, uint32_t x, uint32_t y,
                  struct cooc_pair *out, struct cooc_err *err)
{
    uint32_t s = x < y ? x : y, t = x < y ? y : x;
    int rc = db_pair(db, x, y, out, err);

    if (rc < 0)
        return rc;
    out->count = x == y ? out->fx : 0;
    if (x == y)
        return 0;
    rc = choose(db, out, t)(db, s, t, &out->count, err);
    if (rc == 0 && (out->count > out->fx || out->count > out->fy))
        rc = db_bad_count(db, t, err);
    return rc;
}
