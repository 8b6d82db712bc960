/* sum_rows.c - add up the rows of stores under new ids.
 *
 * Frequencies add up differently, so the order of terms changes a little from
 * a store to the union: most pairs stay in the row of the same term, but
 * where the two terms have changed places the pair moves to the other's row.
 *
 *     for each store, one open at a time
 *         for each row, in the order of its new id
 *             translate; what stays, sorted, is a row of this store's run
 *             what moves is collected as (row, column, count)
 *     whenever many are collected: sort, write them as a run
 *     for each shard
 *         add up the rows of all runs (runs.c)
 *
 * Of a small store all pairs are collected: a run of its own is not worth it.
 *
 * Rows that the union leaves out are not looked at, nor are pairs that would
 * move there: a row beyond the last one wanted has only such pairs.
 *
 * Cost.  docs/METHODS.md has the figures: some nanoseconds a pair, whatever
 * the number of documents.
 *
 * Memory.  The order of a store's rows (16 bytes a term), for each thread
 * what a merge needs and its share of the collected pairs (budget.c).
 */
#include "jobs/sum_rows.h"

#include <pthread.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/radix.h"
#include "base/sort.h"
#include "base/watch.h"

#define SMALL_STORE 1048576u /* pairs */
#define FAULT_BYTES 131072u  /* that come with a row and its place */
#define MOVED_FIRST 4096u

struct moved {
    uint64_t key; /* row << 32 | column */
    uint32_t count;
};

#define MOVED_KEY(m) ((m).key)
DEFINE_RADIX_SORT(sort_moved, struct moved, uint64_t, MOVED_KEY)

/* A thread's tools. */
struct adder {
    struct row_reader reader;
    struct accum sum;
    struct entry *stay;
    size_t stay_cap;
    struct moved *moved;
    size_t n_moved, moved_cap;
    uint64_t mapped; /* bytes, at most, since pages were given back */
    uint64_t pairs;  /* read since the watch was told */
};

struct summing {
    const struct stored_rows *stored;
    const struct budget *budget;
    struct watch *watch;
    struct runs *runs;
    pthread_mutex_t lock; /* of the list of runs */
    uint32_t last;     /* rows from here on are not wanted */
    size_t most_moved; /* of a thread */
    struct adder *adders;
    /* of the store at hand: */
    const struct store *store;
    const uint32_t *map;
    uint64_t *order; /* new id << 32 | old id, ascending */
    size_t n_order, order_cap, tmp_cap;
    uint64_t *order_tmp;
    struct spool *to; /* its run, by shard; NULL if it is small */
};

/* ---- pairs that move ---------------------------------------------------- */

/* The collected pairs of the row that begins at *at go to w. */
static int write_moved_row(struct adder *a, const struct moved *m, size_t n,
                           size_t *at, struct run_writer *w,
                           struct cooc_err *err)
{
    uint32_t t = (uint32_t)(m[*at].key >> 32);
    size_t k = 0, end = *at;
    int rc;

    while (end < n && m[end].key >> 32 == t)
        end++;
    rc = array_grow(&a->stay, &a->stay_cap, end - *at, sizeof *a->stay, err);
    if (rc < 0)
        return rc;
    for (size_t i = *at; i < end; i++)
        if (i > *at && m[i].key == m[i - 1].key)
            a->stay[k - 1].count += m[i].count;
        else
            a->stay[k++] = (struct entry){ .term = (uint32_t)m[i].key,
                                                .count = m[i].count };
    *at = end;
    return run_writer_row(w, t, a->stay, k, err);
}

static int write_moved(const struct summing *c, struct adder *a,
                       const struct moved *m, size_t n, struct spool *to,
                       struct cooc_err *err)
{
    struct runs *r = c->runs;
    size_t at = 0;
    int rc = 0;

    for (uint32_t i = 0; i < r->shards && at < n && rc == 0; i++) {
        struct run_writer w = runs_writer(r, &to[i]);

        while (rc == 0 && at < n && m[at].key >> 32 < r->cuts[i + 1])
            rc = write_moved_row(a, m, n, &at, &w, err);
        if (rc == 0)
            rc = run_writer_finish(&w, err);
        run_writer_release(&w);
    }
    return rc;
}

/* Make a run of what a thread has collected. */
static int flush_moved(struct summing *c, struct adder *a, struct cooc_err *err)
{
    struct moved *tmp;
    struct spool *to = NULL;
    int rc;

    if (!a->n_moved)
        return 0;
    tmp = mem_array(a->n_moved, sizeof *tmp);
    if (!tmp)
        return err_nomem(err);
    pthread_mutex_lock(&c->lock);
    rc = runs_append(c->runs, &to, err);
    pthread_mutex_unlock(&c->lock);
    if (rc == 0)
        rc = write_moved(c, a, sort_moved(a->moved, tmp, a->n_moved),
                         a->n_moved, to, err);
    mem_free(tmp);
    a->n_moved = 0;
    return rc;
}

/* Room for n more, by writing what is there if need be. */
static int moved_room(struct summing *c, struct adder *a, size_t n,
                      struct cooc_err *err)
{
    size_t cap = a->moved_cap;
    void *p;
    int rc = 0;

    if (a->n_moved && a->n_moved + n > c->most_moved)
        rc = flush_moved(c, a, err);
    if (rc < 0 || a->n_moved + n <= cap)
        return rc;
    cap = cap < MOVED_FIRST / 2 ? MOVED_FIRST : 2 * cap;
    cap = cap < c->most_moved ? cap : c->most_moved;
    cap = cap < a->n_moved + n ? a->n_moved + n : cap;
    p = mem_resize(a->moved, cap, sizeof *a->moved);
    if (!p)
        return err_nomem(err);
    a->moved = p;
    a->moved_cap = cap;
    return 0;
}

/* ---- rows --------------------------------------------------------------- */

/* Part the row of u, just read: what stays goes to a->stay, unsorted. */
static size_t translate(const struct summing *c, struct adder *a, uint32_t u,
                        bool *ascends)
{
    const struct entry *e = a->reader.entries;
    uint32_t before = 0;
    size_t n = 0;

    *ascends = true;
    for (size_t i = 0; i < a->reader.n; i++) {
        uint32_t s = c->map[e[i].term];

        if (c->to && s < u) {
            *ascends &= !n || s > before;
            a->stay[n++] = (struct entry){ s, e[i].count };
            before = s;
        } else if (s < c->last) {
            uint64_t row = s > u ? s : u, column = s > u ? u : s;

            a->moved[a->n_moved++] =
                (struct moved){ row << 32 | column, e[i].count };
        }
    }
    return n;
}

static int add_row(struct summing *c, struct adder *a, uint64_t ids,
                   struct run_writer *w, struct cooc_err *err)
{
    uint32_t u = (uint32_t)(ids >> 32);
    bool ascends;
    size_t n;
    int rc = store_row(c->store, (uint32_t)ids, &a->reader, err);

    if (rc == 0)
        rc = moved_room(c, a, a->reader.n, err);
    if (rc == 0)
        rc = array_grow(&a->stay, &a->stay_cap, a->reader.n, sizeof *a->stay,
                        err);
    if (rc < 0)
        return rc;
    n = translate(c, a, u, &ascends);
    a->pairs += a->reader.n;
    a->mapped += a->reader.n + FAULT_BYTES;
    if (ascends)
        return run_writer_row(w, u, a->stay, n, err);
    rc = accum_add_entries(&a->sum, a->stay, n, err);
    if (rc == 0)
        rc = accum_take(&a->sum, u, &n, err);
    return rc < 0 ? rc : run_writer_row(w, u, a->sum.entries, n, err);
}

/* The first row of the store with a new id that is not less than id. */
static size_t find_row(const struct summing *c, uint32_t id)
{
    return search_u64(c->order, c->n_order, (uint64_t)id << 32);
}

static int report_progress(struct summing *c, struct adder *a,
                           struct cooc_err *err)
{
    uint64_t pairs = a->pairs;

    a->pairs = a->mapped = 0;
    store_forget(c->store);
    return watch_add(c->watch, pairs, 0, 0, err);
}

/* The store's rows that are in that shard of the union. */
static int add_shard(void *self, unsigned worker, uint64_t shard,
                     struct cooc_err *err)
{
    struct summing *c = self;
    struct adder *a = &c->adders[worker];
    const uint32_t *cuts = c->runs->cuts + shard;
    struct run_writer w = runs_writer(c->runs, c->to ? &c->to[shard] : NULL);
    size_t i = find_row(c, cuts[0]), end = find_row(c, cuts[1]);
    int rc = 0;

    for (; i < end && rc == 0; i++) {
        rc = add_row(c, a, c->order[i], &w, err);
        if (rc == 0 && a->mapped > c->budget->mapped)
            rc = report_progress(c, a, err);
    }
    if (rc == 0 && c->to)
        rc = run_writer_finish(&w, err);
    run_writer_release(&w);
    return rc;
}

/* ---- stores ------------------------------------------------------------- */

static int order_rows(struct summing *c, struct cooc_err *err)
{
    uint32_t n = c->store->manifest.terms;
    int rc = array_grow(&c->order, &c->order_cap, n, sizeof *c->order, err);

    if (rc == 0)
        rc = array_grow(&c->order_tmp, &c->tmp_cap, n, sizeof *c->order_tmp,
                        err);
    if (rc < 0)
        return rc;
    c->n_order = 0;
    for (uint32_t t = 0; t < n; t++)
        if (c->map[t] < c->last)
            c->order[c->n_order++] = (uint64_t)c->map[t] << 32 | t;
    sort_u64(c->order, c->order_tmp, c->n_order);
    return 0;
}

static int add_store(struct summing *c, size_t i, struct cooc_err *err)
{
    const struct stored_rows *s = c->stored;
    uint64_t small = c->most_moved < SMALL_STORE ? c->most_moved : SMALL_STORE;
    int rc = s->open(s->self, i, &c->store, err);

    c->map = s->maps + s->first[i];
    c->to = NULL;
    if (rc == 0)
        rc = order_rows(c, err);
    if (rc == 0 && c->store->manifest.pairs > small)
        rc = runs_append(c->runs, &c->to, err);
    if (rc == 0) /* a small store is not worth starting threads for */
        rc = pool_for(c->runs->shards, c->to ? c->budget->threads : 1,
                      add_shard, c, err);
    for (unsigned k = 0; k < c->budget->threads && rc == 0; k++)
        rc = report_progress(c, &c->adders[k], err);
    map_forget(s->maps, s->first[i] * sizeof *s->maps,
               s->first[i + 1] * sizeof *s->maps);
    return rc;
}

static int add_stores(struct summing *c, struct cooc_err *err)
{
    int rc = 0;

    for (unsigned i = 0; i < c->budget->threads && rc == 0; i++) {
        c->adders[i].reader.scratch.k = c->runs->k;
        rc = accum_init(&c->adders[i].sum, c->budget->dense, err);
    }
    for (size_t i = 0; i < c->stored->n && rc == 0; i++)
        rc = add_store(c, i, err);
    for (unsigned i = 0; i < c->budget->threads && rc == 0; i++)
        rc = flush_moved(c, &c->adders[i], err);
    return rc;
}

static void adder_release(struct adder *a)
{
    row_reader_release(&a->reader);
    accum_release(&a->sum);
    mem_free(a->stay);
    mem_free(a->moved);
}

int sum_rows(struct runs *r, const struct count_job *job,
             struct cooc_err *err)
{
    const struct budget *b = r->given->budget;
    struct summing c = { .stored = r->given->stored, .budget = b,
                         .watch = job->watch, .runs = r,
                         .last = r->cuts[r->shards] };
    int rc;

    c.most_moved = (size_t)(b->room / b->threads /
                            (2 * sizeof(struct moved))); /* to sort them */
    if (c.stored->sort_pairs && c.stored->sort_pairs < c.most_moved)
        c.most_moved = (size_t)c.stored->sort_pairs;
    watch_phase(job->watch, "adding up rows", "pairs", c.stored->pairs);
    c.adders = mem_zarray(b->threads, sizeof *c.adders);
    pthread_mutex_init(&c.lock, NULL);
    rc = c.adders ? add_stores(&c, err) : err_nomem(err);
    pthread_mutex_destroy(&c.lock);
    for (unsigned i = 0; c.adders && i < b->threads; i++)
        adder_release(&c.adders[i]);
    mem_free(c.adders);
    mem_free(c.order);
    mem_free(c.order_tmp);
    return rc;
}
