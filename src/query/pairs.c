/* pairs.c - the strongest pairs of a store: one pass over every row.
 *
 * Each worker keeps the strongest pairs of its rows (base/top_k.h); at the end
 * the pairs of all workers are sorted together.  With a limit, memory does not
 * grow with the number of pairs in the store.
 *
 * A pair that is too weak to be among the strongest is skipped without
 * computing its score (cutoff.h); a row in which every pair is too weak is not
 * even decoded.
 */
#include "base/buf.h"
#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/parallel_sort.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc_bulk.h"
#include "query/cutoff.h"

#define ROWS_AT_ONCE 256u
#define PAIRS_AT_ONCE 1000000u /* between two calls of the hook */

/* The state of one worker. */
struct worker {
    struct top_k top;
    struct cutoff cutoff;
    struct row_reader reader;
};

struct ranking_job {
    const struct cooc *db;
    struct ranking r;
    struct watch watch;
    struct worker *workers;
    struct bulk_rows bulk;
    uint32_t first, last; /* the rows of this pass */
};

/* Score the pair and keep it if it is strong enough.  classes: those in which
 * the term of e must be. */
static int scan_pair(struct worker *w, struct entry e, unsigned classes,
                     struct cooc_hit *hit, struct cooc_err *err)
{
    const struct ranking *r = w->cutoff.r;

    if (!ranking_wants(r, e.term) ||
        !pair_classes_have(&r->classes, e.term, classes))
        return 0;
    hit->pair.x = e.term;
    hit->pair.fx = ranking_df(r, e.term);
    hit->pair.count = e.count;
    if (r->scorer.m->at_most &&
        scorer_at_most(&r->scorer, &hit->pair) < w->cutoff.least)
        return 0;
    hit->score = scorer_strength(&r->scorer, &hit->pair);
    return hit->score < r->least ? 0 : top_k_add(&w->top, hit, err);
}

/* The score that a pair needs at least, as far as worker w knows. */
static double least_score(const struct worker *w)
{
    const struct cooc_hit *weakest = top_k_last(&w->top);
    double least = w->cutoff.r->least;

    return weakest && weakest->score > least ? weakest->score : least;
}

static int scan_row(struct worker *w, const struct cooc *db, uint32_t t,
                    struct cooc_err *err)
{
    const struct ranking *r = w->cutoff.r;
    const struct cooc_hit *weakest = top_k_last(&w->top);
    struct cooc_hit hit = { .pair = { .y = t, .total = r->documents,
                                      .fy = ranking_df(r, t) } };
    double highest, least = least_score(w);
    unsigned classes = pair_classes_needed(&r->classes, t);
    uint32_t end = UINT32_MAX;
    int rc;

    w->reader.n = 0;
    if (!ranking_wants(r, t) || !classes ||
        !cutoff_row(&w->cutoff, t, least, &highest))
        return 0;
    if (weakest && highest <= weakest->score) /* only ties: x decides */
        end = weakest->pair.x + 1;
    rc = store_row(&db->store, t, &w->reader, err);
    for (size_t i = 0; i < w->reader.n && rc == 0; i++) {
        struct entry e = w->reader.entries[i];

        if (e.term >= end)
            break;
        if (!cutoff_weak(&w->cutoff, e) && !cutoff_find(&w->cutoff, e))
            rc = scan_pair(w, e, classes, &hit, err);
    }
    return rc;
}

static int scan_rows(void *self, unsigned worker, uint64_t job,
                     struct cooc_err *err)
{
    struct ranking_job *p = self;
    struct worker *w = &p->workers[worker];
    uint32_t first = p->first + (uint32_t)job * ROWS_AT_ONCE;
    uint32_t n = p->last - first;
    uint64_t pairs = 0;
    int rc = 0;

    n = n < ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        rc = scan_row(w, p->db, first + i, err);
        pairs += w->reader.n;
    }
    return rc < 0 ? rc : watch_add(&p->watch, n, 0, pairs, err);
}

/* Combine the hits of all workers in p->r.top, sorted, and keep the strongest.
 * */
static int collect(struct ranking_job *p, unsigned threads,
                   struct cooc_err *err)
{
    struct top_k *top = &p->r.top;
    struct sort_part *parts = mem_array(threads, sizeof *parts);
    size_t total = 0;
    void *smaller;
    int rc = parts ? 0 : err_nomem(err);

    for (unsigned i = 0; i < threads && rc == 0; i++) {
        struct top_k *own = &p->workers[i].top;

        top_k_trim(own);
        parts[i] = (struct sort_part){ own->items, own->n };
        total += own->n;
    }
    watch_phase(&p->watch, "sorting", "pairs", total);
    if (rc == 0)
        rc = array_grow(&top->items, &top->cap, total, top->size, err);
    if (rc == 0)
        rc = parallel_sort(top->items, parts, threads, top->size,
                           top->compare, threads, &p->watch, err);
    top->n = rc < 0 ? 0 : total;
    if (rc == 0 && top->limit && total > top->limit) {
        top->n = top->limit;
        smaller = mem_resize(top->items, top->n, top->size);
        if (smaller)
            top->items = smaller;
    }
    mem_free(parts);
    return rc;
}

static int scan_range(struct ranking_job *p, uint32_t first, uint32_t last,
                      unsigned threads, struct cooc_err *err)
{
    p->first = first;
    p->last = last;
    return pool_for(((uint64_t)last - first + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE,
                    threads, scan_rows, p, err);
}

/* The number of postings of the rows from `first` on that may have strong
 * pairs, without those of terms in one document, which are copied. */
static uint64_t postings_left(struct ranking_job *p, uint32_t first,
                              unsigned threads)
{
    struct worker *best = &p->workers[0];
    uint64_t postings = 0;
    double highest;

    for (unsigned i = 1; i < threads; i++)
        if (least_score(&p->workers[i]) > least_score(best))
            best = &p->workers[i];
    for (uint32_t t = first; t < p->r.n; t++)
        if (ranking_df(&p->r, t) > 1 && ranking_wants(&p->r, t) &&
            pair_classes_needed(&p->r.classes, t) &&
            cutoff_row(&best->cutoff, t, least_score(best), &highest))
            postings += ranking_df(&p->r, t);
    return postings;
}

/* Collect the strongest pairs of all rows in p->r.top: first from the stored
 * rows, then from omitted rows, if any of them may still have strong pairs. */
static int scan_all(struct ranking_job *p, struct cooc_err *err)
{
    unsigned threads = p->r.options.threads;
    uint32_t written = rows_written(&p->db->store.manifest);
    uint64_t pairs;
    int rc;

    threads = threads ? threads : pool_cores();
    written = written < p->r.n ? written : p->r.n;
    p->workers = mem_zarray(threads, sizeof *p->workers);
    if (!p->workers)
        return err_nomem(err);
    for (unsigned i = 0; i < threads; i++) {
        p->workers[i].top = p->r.top; /* empty */
        p->workers[i].cutoff.r = &p->r;
        p->workers[i].reader.bulk = &p->bulk;
    }
    rc = watch_init(&p->watch, p->r.options.watch, err);
    watch_phase(&p->watch, "ranking", "rows", p->r.n);
    if (rc == 0)
        rc = scan_range(p, 0, written, threads, err);
    pairs = p->watch.now.pairs;
    if (rc == 0)
        rc = store_bulk(&p->db->store, postings_left(p, written, threads), 0,
                        threads, &p->watch, &p->bulk, err);
    if (p->bulk.ready) /* another phase has been reported */
        watch_resume(&p->watch, "ranking", "rows", p->r.n, written, pairs);
    if (rc == 0)
        rc = scan_range(p, written, p->r.n, threads, err);
    if (rc == 0)
        rc = collect(p, threads, err);
    watch_release(&p->watch);
    for (unsigned i = 0; i < threads; i++) {
        mem_free(p->workers[i].top.items);
        row_reader_release(&p->workers[i].reader);
    }
    mem_free(p->workers);
    bulk_rows_close(&p->bulk);
    return rc;
}

int cooc_pairs(struct cooc *db, const struct cooc_rank_options *options,
               struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    struct ranking_job p = { .db = db };
    struct rank_space space = { 0 };
    const struct cooc_hit *found;
    int rc = db_need_rows(db, err);

    *hits = NULL;
    *n = 0;
    if (rc < 0)
        return rc;
    library_alloc_begin();
    rc = ranking_init(&p.r, db, options, &space, err);
    if (rc == 0)
        rc = ranking_classes(&p.r, db, err);
    if (rc == 0)
        rc = pool_check(p.r.options.threads, err);
    if (rc == 0)
        rc = ranking_need(&p.r, 0, p.r.n, err);
    if (rc == 0)
        rc = scan_all(&p, err);
    rc = ranking_finish(&p.r, rc, &space, &found, n);
    pair_classes_release(&p.r.classes);
    mem_free(space.excluded);
    if (rc == 0)
        *hits = space.hits;
    else
        mem_free(space.hits);
    return rc;
}

/* ---- as a stream -------------------------------------------------------- */

/* Pass the wanted pairs of row t to the callback. */
static int emit_row(const struct ranking *r, uint32_t t,
                    const struct row_reader *row, cooc_hit_fn fn,
                    void *self, struct cooc_err *err)
{
    struct cooc_hit hit = { .pair = { .y = t, .total = r->documents,
                                      .fy = ranking_df(r, t) } };
    bool lower = r->scorer.m->about.lower;
    unsigned classes = pair_classes_needed(&r->classes, t);
    int rc = 0;

    for (size_t i = 0; i < row->n && rc == 0; i++) {
        struct entry e = row->entries[i];

        if (e.count < r->options.min_count || !ranking_wants(r, e.term) ||
            !pair_classes_have(&r->classes, e.term, classes))
            continue;
        hit.pair.x = e.term;
        hit.pair.fx = ranking_df(r, e.term);
        hit.pair.count = e.count;
        hit.score = scorer_strength(&r->scorer, &hit.pair);
        if (hit.score < r->least)
            continue;
        hit.score = lower ? -hit.score : hit.score;
        rc = fn(self, &hit, err);
    }
    return rc;
}

int cooc_pairs_each(struct cooc *db, const struct cooc_rank_options *options,
                    cooc_hit_fn fn, void *self, struct cooc_err *err)
{
    struct rank_space space = { 0 };
    struct row_reader row = { 0 };
    struct ranking r = { 0 };
    struct watch watch;
    uint64_t pairs = 0, rows = 0;
    int rc;

    err_clear(err);
    rc = db_need_rows(db, err);
    if (rc == 0)
        rc = ranking_init(&r, db, options, &space, err);
    if (rc == 0)
        rc = ranking_classes(&r, db, err);
    if (watch_init(&watch, r.options.watch, rc < 0 ? NULL : err) < 0 && rc == 0)
        rc = COOC_EINVAL;
    if (rc == 0)
        rc = ranking_need(&r, 0, r.n, err);
    if (rc == 0) /* a count is at most the df of either term */
        rc = ranking_limit(&r, r.options.min_count, UINT64_MAX, err);
    watch_phase(&watch, "reading rows", "rows", r.last);
    for (uint32_t t = r.first; t < r.last && rc == 0; t++) {
        bool wanted = ranking_wants(&r, t) &&
                      pair_classes_needed(&r.classes, t);

        rc = wanted ? store_row(&db->store, t, &row, err) : 0;
        if (rc == 0 && wanted) {
            rc = emit_row(&r, t, &row, fn, self, err);
            pairs += row.n;
        }
        if (rc == 0 && (++rows == ROWS_AT_ONCE || pairs > PAIRS_AT_ONCE)) {
            rc = watch_add(&watch, rows, 0, pairs, err);
            rows = pairs = 0;
        }
    }
    watch_release(&watch);
    row_reader_release(&row);
    pair_classes_release(&r.classes);
    mem_free(space.excluded);
    return rc;
}
