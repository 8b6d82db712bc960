/* batch_count.c - counting in batches.
 *
 *     for each batch of documents
 *         count it with the inner method, on all threads
 *         write its rows to the spool: a run, a stream for each shard
 *     while there are more than BUDGET_FAN_IN runs
 *         make one of some of them
 *     for each shard
 *         add up the rows of all runs
 *
 * Cost.  A row is coded, written, read and decoded for each batch that holds
 * its term, and its sum is coded again; with more than BUDGET_FAN_IN batches
 * some rows take the way through the file once more.
 *
 * The memory is what budget.c says.
 */
#include "store/batch_count.h"

#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "count/count_run.h"
#include "count/row_parts.h"
#include "store/batch.h"
#include "store/run_merge.h"

struct run {
    struct stream *shards;
};

struct runs {
    const struct batch_job *given;
    uint32_t first_shard, shards; /* those that are wanted */
    const struct kernels *k;
    struct spool spool;
    struct run *runs;
    size_t n, cap;
};

/* ---- the list of runs --------------------------------------------------- */

static void run_drop(struct runs *r, struct run *run)
{
    for (uint32_t i = 0; run->shards && i < r->shards; i++)
        stream_drop(&run->shards[i], &r->spool);
    mem_free(run->shards);
}

static int run_append(struct runs *r, struct cooc_err *err)
{
    int rc = array_grow(&r->runs, &r->cap, r->n + 1, sizeof *r->runs, err);

    if (rc < 0)
        return rc;
    r->runs[r->n].shards = mem_zarray(r->shards, sizeof(struct stream));
    if (!r->runs[r->n].shards)
        return err_nomem(err);
    r->n++;
    return 0;
}

static void release(void *shared)
{
    struct runs *r = shared;

    if (!r)
        return;
    spool_close(&r->spool); /* first: nothing need be given back */
    for (size_t i = 0; i < r->n; i++)
        run_drop(r, &r->runs[i]);
    mem_free(r->runs);
    mem_free(r);
}

/* ---- one batch ---------------------------------------------------------- */

/* A shard of a batch on its way to the spool. */
struct segment {
    const struct batch *b;
    struct run_writer w;
    struct cooc_entry *entries; /* with the collection's ids */
    size_t cap;
    struct cooc_entry *batch_entries; /* with the batch's */
    size_t batch_cap;
};

struct segments {
    struct runs *r;
    const struct batch *b;
};

static void segment_free(struct segment *s)
{
    if (!s)
        return;
    run_writer_release(&s->w);
    mem_free(s->entries);
    mem_free(s->batch_entries);
    mem_free(s);
}

/* Entries with the collection's ids: their own, or a copy. */
static int translate(struct segment *s, const struct cooc_entry **e, size_t n,
                     struct cooc_err *err)
{
    int rc;

    if (!n || (*e)[n - 1].term < s->b->zone)
        return 0;
    rc = array_grow(&s->entries, &s->cap, n, sizeof *s->entries, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        s->entries[i] = (*e)[i];
        s->entries[i].term = batch_term(s->b, (*e)[i].term);
    }
    *e = s->entries;
    return rc;
}

/* A row that is the beginning of its only document in the batch. */
static int add_once(struct segment *s, uint32_t t, const uint32_t *once,
                    size_t n, struct cooc_err *err)
{
    int rc = array_grow(&s->entries, &s->cap, n, sizeof *s->entries, err);

    for (size_t i = 0; i < n && rc == 0; i++)
        s->entries[i] = (struct cooc_entry){
            .term = batch_term(s->b, once[i]), .count = 1
        };
    return rc < 0 ? rc : run_writer_row(&s->w, t, s->entries, n, err);
}

static int add_row(void *self, uint32_t local, const struct cooc_entry *e,
                   size_t n, struct cooc_err *err)
{
    struct segment *s = self;
    uint32_t t = batch_term(s->b, local);
    int rc = translate(s, &e, n, err);

    return rc < 0 ? rc : run_writer_row(&s->w, t, e, n, err);
}

/* Has the row columns only that have the same id in the collection? */
static bool in_zone(const struct batch *b, const struct row_parts *row)
{
    uint64_t words = row->n_tail ? (uint64_t)row->tail[row->n_tail - 1] + 1
                                 : row->head;

    return !b->n_names || words * 64 <= b->zone;
}

static int add_parts(void *self, uint32_t local, const struct row_parts *row,
                     struct cooc_err *err)
{
    struct segment *s = self;
    uint32_t t = batch_term(s->b, local);
    size_t n;
    int rc;

    if (row->n_once)
        return add_once(s, t, row->once, row->n_once, err);
    if (in_zone(s->b, row))
        return run_writer_parts(&s->w, t, row, err);
    rc = row_parts_expand(row, &s->batch_entries, &s->batch_cap, &n, err);
    return rc < 0 ? rc : add_row(s, local, s->batch_entries, n, err);
}

static int begin(void *self, uint32_t shard, struct row_sink *out,
                 struct cooc_err *err)
{
    struct segments *g = self;
    struct segment *s = mem_zarray(1, sizeof *s);

    if (!s)
        return err_nomem(err);
    s->b = g->b;
    s->w.spool = &g->r->spool;
    s->w.scratch.k = g->r->k;
    s->w.to = &g->r->runs[g->r->n - 1].shards[shard];
    *out = (struct row_sink){ .row = add_row, .parts = add_parts,
                              .self = s };
    return 0;
}

static int end(void *self, uint32_t shard, struct row_sink *sink, bool ok,
               struct cooc_err *err)
{
    struct segment *s = sink->self;
    int rc = ok ? run_writer_finish(&s->w, err) : 0;

    (void)self;
    (void)shard;
    segment_free(s);
    return rc;
}

static bool done(void *self, uint32_t shard)
{
    const struct segments *g = self;
    const struct shard_sinks *s = g->r->given->sinks;

    return s && s->done && s->done(s->self, g->r->first_shard + shard);
}

static int count_batch(struct runs *r, struct batch *b,
                       const struct count_job *job, struct cooc_err *err)
{
    const struct batch_job *g = r->given;
    struct segments self = { .r = r, .b = b };
    struct shard_sinks sinks = { begin, end, &self, done };
    struct count_job mine = *job;
    int rc = run_append(r, err);

    if (rc == 0)
        rc = batch_load(b, &job->fwd, g->plan->cuts + r->first_shard,
                        r->shards, err);
    if (rc < 0)
        return rc;
    mine.fwd = b->forward;
    mine.inv = b->inverted;
    mine.given = NULL;
    budget_params(g->budget, b->docs, b->postings, b->tails, &mine.params);
    return count_run(g->inner, &b->plan, &mine, g->budget->threads, &sinks,
                     job->watch, err);
}

static int count_batches(struct runs *r, const struct count_job *job,
                         struct cooc_err *err)
{
    struct batch b = { 0 };
    int rc = 0;

    for (uint32_t d = 0; d < job->fwd.n && rc == 0; d = b.last) {
        batch_cut(&b, &job->fwd, d, r->given->budget);
        if (!b.docs)
            break;
        rc = count_batch(r, &b, job, err);
        d = b.last;
        batch_release(&b);
        mem_trim(); /* blocks of other sizes follow */
        b.last = d;
        r->given->report->batches++;
    }
    return rc;
}

/* ---- fewer runs --------------------------------------------------------- */

/* The first n runs become the last one. */
struct crew {
    struct runs *r;
    size_t n;
    struct watch *watch;
    pthread_mutex_t lock;
    uint32_t next; /* shard */
    int rc;
    struct cooc_err err;
};

static int write_row(void *self, uint32_t t, const struct cooc_entry *e,
                     size_t n, struct cooc_err *err)
{
    return run_writer_row(self, t, e, n, err);
}

static void shard_streams(const struct runs *r, size_t n, uint32_t shard,
                          const struct stream **out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = &r->runs[i].shards[shard];
}

static int merge_shard(struct crew *c, struct run_merger *m, uint32_t shard,
                       struct cooc_err *err)
{
    struct runs *r = c->r;
    const struct stream *from[BUDGET_FAN_IN];
    struct run_writer w = { .spool = &r->spool,
                            .to = &r->runs[r->n - 1].shards[shard],
                            .scratch = { .k = r->k } };
    struct row_sink sink = { .row = write_row, .self = &w };
    int rc;

    shard_streams(r, c->n, shard, from);
    rc = run_merge(m, from, c->n,
                   r->given->plan->cuts[r->first_shard + shard + 1], &sink,
                   &w, err);
    if (rc == 0)
        rc = run_writer_finish(&w, err);
    run_writer_release(&w);
    for (size_t i = 0; i < c->n; i++)
        stream_drop(&r->runs[i].shards[shard], &r->spool);
    return rc == 0 && c->watch ? watch_add(c->watch, 0, 0, 0, err) : rc;
}

static void merge_work(void *self, unsigned worker)
{
    struct crew *c = self;
    const struct budget *b = c->r->given->budget;
    struct run_merger m;
    struct cooc_err err = { 0 };
    int rc = run_merger_init(&m, &c->r->spool, BUDGET_FAN_IN, b->window,
                             b->dense, &err);

    (void)worker;
    m.scratch.k = c->r->k;
    for (;;) {
        uint32_t shard;

        pthread_mutex_lock(&c->lock);
        if (rc < 0 && c->rc == 0) {
            c->rc = rc;
            c->err = err;
        }
        shard = c->rc < 0 ? c->r->shards : c->next;
        c->next += shard < c->r->shards;
        pthread_mutex_unlock(&c->lock);
        if (shard >= c->r->shards)
            break;
        rc = merge_shard(c, &m, shard, &err);
    }
    run_merger_release(&m);
}

/* Make one run of the first n, and put it last. */
static int merge_runs(struct runs *r, size_t n, struct watch *watch,
                      struct cooc_err *err)
{
    struct crew c = { .r = r, .n = n, .watch = watch };
    int rc = run_append(r, err);

    if (rc < 0)
        return rc;
    pthread_mutex_init(&c.lock, NULL);
    pool_run(r->given->budget->threads, merge_work, &c);
    pthread_mutex_destroy(&c.lock);
    if (c.rc < 0)
        return err_set(err, c.rc, "%s", c.err.text);
    for (size_t i = 0; i < n; i++)
        run_drop(r, &r->runs[i]);
    r->n -= n;
    memmove(r->runs, r->runs + n, r->n * sizeof *r->runs);
    r->given->report->merges++;
    return 0;
}

/* ---- the method --------------------------------------------------------- */

static void choose_shards(struct runs *r, const struct count_job *job)
{
    const struct count_plan *p = r->given->plan;
    uint32_t last = p->n_shards;

    while (r->first_shard < last && p->cuts[r->first_shard + 1] <= job->first)
        r->first_shard++;
    while (last > r->first_shard && p->cuts[last - 1] >= job->last)
        last--;
    r->shards = last - r->first_shard;
}

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    struct runs *r = mem_zarray(1, sizeof *r);
    int rc;

    *shared = NULL;
    if (!r)
        return err_nomem(err);
    r->given = job->given;
    r->k = job->params.kernels;
    choose_shards(r, job);
    rc = spool_open(&r->spool, job->params.tmpdir, err);
    if (rc == 0 && job->watch)
        watch_phase(job->watch, "counting batches", "increments",
                    r->given->plan->total);
    if (rc == 0)
        rc = count_batches(r, job, err);
    while (rc == 0 && r->n > BUDGET_FAN_IN) {
        size_t more = r->n - BUDGET_FAN_IN + 1;

        rc = merge_runs(r, more < BUDGET_FAN_IN ? more : BUDGET_FAN_IN,
                        job->watch, err);
    }
    if (rc < 0) {
        release(r);
        return rc;
    }
    r->given->report->bytes = atomic_load(&r->spool.end);
    if (job->watch)
        watch_phase(job->watch, "merging", "increments",
                    r->given->plan->total);
    *shared = r;
    return 0;
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    const struct runs *r = job->shared;
    const struct budget *b = r->given->budget;
    const uint32_t *cuts = r->given->plan->cuts + r->first_shard;
    const struct stream *from[BUDGET_FAN_IN];
    struct run_merger m;
    int rc = run_merger_init(&m, &r->spool, r->n, b->window, b->dense, err);

    m.scratch.k = r->k;
    for (uint32_t i = 0; i < r->shards && rc == 0; i++)
        if (cuts[i] >= job->first && cuts[i + 1] <= job->last) {
            shard_streams(r, r->n, i, from);
            rc = run_merge(&m, from, r->n, cuts[i + 1], out, NULL, err);
        }
    run_merger_release(&m);
    return rc;
}

struct count_method batch_method(const struct count_method *inner)
{
    return (struct count_method){ .about = inner->about, .by_rows = true,
                                  .prepare = prepare, .release = release,
                                  .run = run };
}
