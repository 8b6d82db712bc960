/* pairs.c - the strongest pairs of all: one pass over every row.
 *
 * Workers take runs of rows; each keeps its own best hits, which are put
 * together at the end.  Nothing grows with the number of pairs.
 *
 * Pairs that are too weak for a place among the best are passed over without
 * a look at their score (cutoff.h); rows whose terms are too rare for that
 * are not even decoded.
 */
#include <math.h>
#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "query/choice.h"
#include "query/cutoff.h"
#include "query/db.h"

#define ROWS_AT_ONCE 256u

struct pass {
    const struct cooc *db;
    const struct cooc_choice *choice;
    struct scorer scorer;
    struct wanted_terms terms;
    double least; /* strength that is asked for */
    struct watch watch;
    pthread_mutex_t lock;
    uint32_t next;
    struct best best; /* of all workers */
    int rc;
    struct cooc_err err;
};

/* A worker's own. */
struct looker {
    const struct pass *p;
    struct best best;
    struct cutoff cutoff;
    struct row_reader reader;
};

/* What a pair must have to be kept. */
static double least_strength(const struct looker *l)
{
    const struct best *b = &l->best;
    double least = l->p->least;

    if (b->limit && b->n == b->limit && b->hits[0].score > least)
        least = b->hits[0].score;
    return least;
}

/* Score the pair, and keep it if it is good. */
static int look_at_pair(struct looker *l, struct cooc_entry e,
                        struct cooc_hit *hit, struct cooc_err *err)
{
    const struct pass *p = l->p;

    if (!is_wanted(&p->terms, e.term))
        return 0;
    hit->pair.x = e.term;
    hit->pair.df_x = wanted_df(&p->terms, e.term);
    hit->pair.count = e.count;
    if (p->scorer.m->at_most &&
        scorer_at_most(&p->scorer, &hit->pair) < l->cutoff.least)
        return 0;
    hit->score = scorer_strength(&p->scorer, &hit->pair);
    if (hit->score < p->least)
        return 0;
    return best_add(&l->best, hit, err);
}

/* Columns from this on are not wanted: where a row can only be as good as
 * the worst of a full list, pairs before that one must win the tie. */
static uint32_t columns_end(const struct looker *l, double highest)
{
    const struct best *b = &l->best;

    if (b->limit && b->n == b->limit && highest <= b->hits[0].score)
        return b->hits[0].pair.x + 1;
    return UINT32_MAX;
}

static int look_at_row(struct looker *l, uint32_t t, struct cooc_err *err)
{
    const struct pass *p = l->p;
    struct cooc_hit hit = { .pair = { .y = t } };
    double highest;
    uint32_t end;
    int rc;

    l->reader.n = 0;
    hit.pair.documents = p->db->store.docs.n_docs;
    hit.pair.df_y = wanted_df(&p->terms, t);
    if (!is_wanted(&p->terms, t) ||
        !cutoff_row(&l->cutoff, t, least_strength(l), &highest))
        return 0;
    end = columns_end(l, highest);
    rc = store_row(&p->db->store, t, &l->reader, err);
    for (size_t i = 0; i < l->reader.n && rc == 0; i++) {
        struct cooc_entry e = l->reader.entries[i];

        if (e.term >= end)
            break;
        if (!cutoff_weak(&l->cutoff, e) && !cutoff_look(&l->cutoff, e))
            rc = look_at_pair(l, e, &hit, err);
    }
    return rc;
}

static int look(struct looker *l, struct pass *p, struct cooc_err *err)
{
    uint32_t n = p->db->store.docs.n_terms;
    int rc = 0;

    while (rc == 0) {
        uint32_t first, last;
        uint64_t pairs = 0;

        pthread_mutex_lock(&p->lock);
        first = p->rc < 0 ? n : p->next;
        last = n - first > ROWS_AT_ONCE ? first + ROWS_AT_ONCE : n;
        p->next = last;
        pthread_mutex_unlock(&p->lock);
        if (first >= n)
            break;
        for (uint32_t t = first; t < last && rc == 0; t++) {
            rc = look_at_row(l, t, err);
            pairs += l->reader.n;
        }
        if (rc == 0)
            rc = watch_add(&p->watch, last - first, 0, pairs, err);
    }
    return rc;
}

static void work(void *self, unsigned worker)
{
    struct pass *p = self;
    struct looker l = { .p = p, .best = { .limit = p->choice->limit } };
    struct cooc_err err = { 0 };
    int rc;

    (void)worker;
    cutoff_init(&l.cutoff, &p->scorer, &p->terms, p->db->store.docs.n_docs,
                p->choice->min_count);
    rc = look(&l, p, &err);
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < l.best.n && rc == 0; i++)
        rc = best_add(&p->best, &l.best.hits[i], &err);
    if (rc < 0 && p->rc == 0) {
        p->rc = rc;
        p->err = err;
    }
    pthread_mutex_unlock(&p->lock);
    best_release(&l.best);
    row_reader_release(&l.reader);
}

static void run(struct pass *p, unsigned threads)
{
    watch_init(&p->watch, &p->choice->watch);
    watch_phase(&p->watch, "ranking", "rows", p->db->store.docs.n_terms);
    pthread_mutex_init(&p->lock, NULL);
    pool_run(threads ? threads : pool_cores(), work, p);
    pthread_mutex_destroy(&p->lock);
    watch_release(&p->watch);
}

int cooc_pairs(struct cooc *db, const struct cooc_choice *choice,
               struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    struct cooc_choice usual;
    struct pass p = { .db = db };
    int rc;

    *hits = NULL;
    *n = 0;
    cooc_choice_init(&usual);
    p.choice = choice ? choice : &usual;
    p.best.limit = p.choice->limit;
    if (!db->store.manifest.counted)
        return err_set(err, COOC_ENOTCOUNTED, "the store is indexed but its "
                       "pairs are not counted yet; run: cooc count");
    rc = pool_check(p.choice->threads, err);
    if (rc == 0)
        rc = scorer_init(&p.scorer, db, &p.choice->by, err);
    if (rc == 0)
        rc = wanted_terms_init(&p.terms, db, p.choice, err);
    if (rc < 0)
        return rc;
    p.least = choice_least(p.choice, &p.scorer);
    run(&p, p.choice->threads);
    wanted_terms_release(&p.terms);
    if (p.rc < 0) {
        best_release(&p.best);
        return err_set(err, p.rc, "%s", p.err.text);
    }
    choice_finish(&p.scorer, &p.best, hits, n);
    return 0;
}
