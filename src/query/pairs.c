/* pairs.c - the strongest pairs of all: one pass over every row.
 *
 * Workers take runs of rows; each keeps its own best hits, which are put
 * together at the end.  Nothing grows with the number of pairs.
 *
 * A pair meets in at most df documents of its rarer term, the term of the
 * row, so rows whose df is too small for min_count, or for a place among the
 * best counts, are not even decoded.
 */
#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "query/best.h"
#include "query/db.h"

#define ROWS_AT_ONCE 256u

struct pass {
    const struct cooc *db;
    enum cooc_measure by;
    uint64_t min_count;
    size_t limit;
    const uint64_t *off; /* of the inverted lists: df = off[t+1] - off[t] */
    struct watch watch;
    pthread_mutex_t lock;
    uint32_t next;
    struct best best; /* of all workers */
    int rc;
    struct cooc_err err;
};

static int look_at_row(const struct pass *p, uint32_t t,
                       struct row_reader *r, struct best *best,
                       struct cooc_err *err)
{
    struct cooc_hit hit = { 0 };
    int rc;

    hit.pair.documents = p->db->store.docs.n_docs;
    hit.pair.y = t;
    hit.pair.df_y = p->off[t + 1] - p->off[t];
    r->n = 0;
    if (hit.pair.df_y < p->min_count ||
        (p->by == COOC_BY_COUNT && best->limit && best->n == best->limit &&
         (double)hit.pair.df_y < best->hits[0].score))
        return 0;
    rc = store_row(&p->db->store, t, r, err);
    for (size_t i = 0; i < r->n && rc == 0; i++) {
        uint32_t s = r->entries[i].term;

        if (r->entries[i].count < p->min_count)
            continue;
        hit.pair.x = s;
        hit.pair.df_x = p->off[s + 1] - p->off[s];
        hit.pair.count = r->entries[i].count;
        hit.score = cooc_score(&hit.pair, p->by);
        rc = best_add(best, &hit, err);
    }
    return rc;
}

static void work(void *self, unsigned worker)
{
    struct pass *p = self;
    struct best best = { .limit = p->limit };
    struct row_reader reader = { 0 };
    struct cooc_err err = { 0 };
    int rc = 0;

    (void)worker;
    while (rc == 0) {
        uint32_t n = p->db->store.docs.n_terms, first, last;
        uint64_t pairs = 0;

        pthread_mutex_lock(&p->lock);
        first = p->rc < 0 ? n : p->next;
        last = n - first > ROWS_AT_ONCE ? first + ROWS_AT_ONCE : n;
        p->next = last;
        pthread_mutex_unlock(&p->lock);
        if (first >= n)
            break;
        for (uint32_t t = first; t < last && rc == 0; t++) {
            rc = look_at_row(p, t, &reader, &best, &err);
            pairs += reader.n;
        }
        if (rc == 0)
            rc = watch_add(&p->watch, pairs, 0, pairs, &err);
    }
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < best.n && rc == 0; i++)
        rc = best_add(&p->best, &best.hits[i], &err);
    if (rc < 0 && p->rc == 0) {
        p->rc = rc;
        p->err = err;
    }
    pthread_mutex_unlock(&p->lock);
    best_release(&best);
    row_reader_release(&reader);
}

int cooc_pairs(struct cooc *db, enum cooc_measure by, uint64_t min_count,
               size_t limit, unsigned threads, const struct cooc_watch *watch,
               struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    struct pass p = { .db = db, .by = by, .min_count = min_count,
                      .limit = limit, .best = { .limit = limit } };
    const void *off;
    int rc;

    *hits = NULL;
    *n = 0;
    if (!db->store.manifest.counted)
        return err_set(err, COOC_ENOTCOUNTED, "the store is indexed but its "
                       "pairs are not counted yet; run: cooc count");
    rc = db_check_measure(by, err);
    if (rc < 0)
        return rc;
    rc = blob_get(c->files[FILE_INVERTED_OFF], 0,
                  ((uint64_t)c->n_terms + 1) * 8, &off, err);
    if (rc < 0)
        return rc;
    p.off = off;
    watch_init(&p.watch, watch);
    watch_phase(&p.watch, "ranking", "pairs", db->store.manifest.pairs);
    pthread_mutex_init(&p.lock, NULL);
    pool_run(threads ? threads : pool_cores(), work, &p);
    pthread_mutex_destroy(&p.lock);
    watch_release(&p.watch);
    if (p.rc < 0) {
        best_release(&p.best);
        return err_set(err, p.rc, "%s", p.err.text);
    }
    best_sort(&p.best);
    *hits = p.best.hits;
    *n = p.best.n;
    return 0;
}
