/* pair_count.c - the number of documents that contain both of two terms.
 *
 * There are three ways, and the cheapest is chosen.  With t the rarer term, s
 * the other one, and L the mean length of a document:
 *
 *     lists       intersect both posting lists        df(s) + df(t) ids
 *     documents   search s in the documents of t      df(t) * L ids
 *     row         search s in the row of t, if it is stored: one bit per term
 *                 before t, and the pairs outside the bitmap of the row, at
 *                 most 24 per 256 columns
 *
 * So two frequent terms are looked up in a short row, a rare term in its few
 * documents, and no pair takes long.  bench/latency.c measures all three.
 */
#include <math.h>

#include "index/intersect.h"
#include "query/db.h"

/* Measured nanoseconds; only their ratios matter. */
#define NS_CHECK 0.25   /* check the order of an id in a list */
#define NS_MERGE 2.0    /* merge an id */
#define NS_SEEK 40.0    /* search an id in a long list */
#define NS_DOCUMENT 500.0 /* reach a document in memory */
#define NS_ROW 300.0
#define NS_COLUMN 0.01  /* skip a column of a bitmap */
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

/* Choose the cheapest way; *ns is its estimated time. */
static way_fn choose(const struct cooc *db, const struct cooc_pair *p,
                     uint32_t t, double *ns)
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
    *ns = fmin(lists, documents);
    if (db->store.manifest.counted && t < rows_written(&db->store.manifest) &&
        row < *ns) {
        *ns = row;
        return by_row;
    }
    return documents < lists ? by_documents : by_lists;
}

double db_pair_cost(const struct cooc *db, const struct cooc_pair *p,
                    uint32_t t)
{
    double ns;

    choose(db, p, t, &ns);
    return ns;
}

int db_pair_count(const struct cooc *db, uint32_t x, uint32_t y,
                  struct cooc_pair *out, struct cooc_err *err)
{
    uint32_t s = x < y ? x : y, t = x < y ? y : x;
    double ns;
    int rc = db_pair(db, x, y, out, err);

    if (rc < 0)
        return rc;
    out->count = x == y ? out->fx : 0;
    if (x == y)
        return 0;
    rc = choose(db, out, t, &ns)(db, s, t, &out->count, err);
    if (rc == 0 && (out->count > out->fx || out->count > out->fy))
        rc = db_bad_count(db, t, err);
    return rc;
}

int cooc_pair_get(struct cooc *db, uint32_t x, uint32_t y,
                  struct cooc_pair *out, struct cooc_err *err)
{
    return db_pair_count(db, x, y, out, err);
}
