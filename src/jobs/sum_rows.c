/* sum_rows.c - add up the rows of stores under new ids.
 *
 * The frequencies of terms in the union differ from those in a store, so the
 * order of terms changes a little.  Most pairs stay in the row of the same
 * term, but if the order of two terms is reversed, their pair moves to the row
 * of the other term.
 *
 *     for each store, one open at a time
 *         for each row, in the order of its new id
 *             translate; pairs that stay, sorted, are a row of the store's run
 *             collect pairs that move as (row, column, count)
 *     whenever many pairs are collected: sort them, write them as a run
 *     for each shard
 *         add up the rows of all runs (runs.c)
 *
 * In a small store, all pairs are collected, because a run of its own
 * is not worth it.
 *
 * Rows that the union omits are not read, because all their pairs belong to
 * omitted rows.  Pairs that would move to an omitted row are dropped.
 *
 * Cost.  About 30 ns per pair, for any number of documents (docs/METHODS.md).
 *
 * Memory.  16 bytes per term for the order of a store's rows; for each thread,
 * the memory of a merge and its share of the collected pairs (budget.c).
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
#define FAULT_BYTES 131072u  /* mapped by reading a row and its offset */
#define MOVED_FIRST 4096u

struct moved {
    uint64_t key; /* row << 32 | column */
    uint32_t count;
};

#define MOVED_KEY(m) ((m).key)
DEFINE_RADIX_SORT(sort_moved, struct moved, uint64_t, MOVED_KEY)

/* Memory of one thread. */
struct adder {
    struct row_reader reader;
    struct accum sum;
    struct entry *stay;
    size_t stay_cap;
    struct moved *moved;
    size_t n_moved, moved_cap;
    uint64_t mapped; /* bytes mapped at most since report_progress() */
    uint64_t pairs;  /* pairs read since report_progress() */
};

struct summing {
    const struct stored_rows *stored;
    const struct budget *budget;
    struct watch *watch;
    struct runs *runs;
    pthread_mutex_t lock; /* protects the list of runs */
    uint32_t last;     /* rows from here on are not made */
    size_t most_moved; /* maximum moved pairs per thread */
    struct adder *adders;
    /* The current store: */
    const struct store *store;
    const uint32_t *map;
    uint64_t *order; /* new id << 32 | old id, ascending */
    size_t n_order, order_cap, tmp_cap;
    uint64_t *order_tmp;
    struct spool *to; /* its run, by shard; NULL for a small store */
};

/* ---- pairs that move ---------------------------------------------------- */

/* Write the collected pairs of the row that begins at m[*at] to w, and move
 * *at past them. */
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

/* Write the collected pairs of a thread as a run. */
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

/* Make room for n more pairs, if necessary by writing those collected so
 * far. */
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

/* Split the row that was just read, with new id u: pairs that stay go to
 * a->stay, in the order of old ids, all others to a->moved.  Returns the number
 * of pairs that stay; *ascends: they are sorted. */
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

/* Find the first row of the store with a new id that is not below id. */
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

/* Add the rows of the store that are in this shard of the union. */
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
                            (2 * sizeof(struct moved))); /* 2: to sort */
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
