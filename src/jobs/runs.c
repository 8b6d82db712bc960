/* runs.c - a list of runs, and merging them. */
#include "jobs/runs.h"

#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"

/* ---- the list ----------------------------------------------------------- */

static void choose_shards(struct runs *r, const struct count_job *job)
{
    const struct count_plan *p = r->plan;
    uint32_t last = p->n_shards;

    while (r->first_shard < last && p->cuts[r->first_shard + 1] <= job->first)
        r->first_shard++;
    while (last > r->first_shard && p->cuts[last - 1] >= job->last)
        last--;
    r->shards = last - r->first_shard;
}

int runs_new(struct runs **out, const struct budget *budget,
             const struct count_plan *plan, const struct count_job *job,
             struct cooc_err *err)
{
    struct runs *r = mem_zarray(1, sizeof *r);
    int rc;

    *out = NULL;
    if (!r)
        return err_nomem(err);
    r->budget = budget;
    r->plan = plan;
    r->k = job->params.kernels;
    choose_shards(r, job);
    rc = spool_file_open(&r->spool, job->params.tmpdir, err);
    if (rc == 0)
        *out = r;
    else
        runs_free(r);
    return rc;
}

int runs_append(struct runs *r, struct spool **to, struct cooc_err *err)
{
    int rc = array_grow(&r->runs, &r->cap, r->n + 1, sizeof *r->runs, err);

    if (rc < 0)
        return rc;
    *to = mem_zarray(r->shards, sizeof **to);
    if (!*to)
        return err_nomem(err);
    r->runs[r->n++].shards = *to;
    return 0;
}

static void run_drop(struct runs *r, struct run_streams *run)
{
    for (uint32_t i = 0; run->shards && i < r->shards; i++)
        spool_drop(&run->shards[i], &r->spool);
    mem_free(run->shards);
}

void runs_free(void *runs)
{
    struct runs *r = runs;

    if (!r)
        return;
    spool_file_close(&r->spool); /* first: nothing need be given back */
    for (size_t i = 0; i < r->n; i++)
        run_drop(r, &r->runs[i]);
    mem_free(r->runs);
    mem_free(r);
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
                          const struct spool **out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = &r->runs[i].shards[shard];
}

static int merge_shard(struct crew *c, struct run_merger *m, uint32_t shard,
                       struct cooc_err *err)
{
    struct runs *r = c->r;
    const struct spool *from[BUDGET_FAN_IN];
    struct run_writer w = { .spool = &r->spool,
                            .to = &r->runs[r->n - 1].shards[shard],
                            .scratch = { .k = r->k } };
    struct row_sink sink = { .row = write_row, .self = &w };
    int rc;

    shard_streams(r, c->n, shard, from);
    rc = run_merge(m, from, c->n, r->plan->cuts[r->first_shard + shard + 1],
                   &sink, &w, err);
    if (rc == 0)
        rc = run_writer_finish(&w, err);
    run_writer_release(&w);
    for (size_t i = 0; i < c->n; i++)
        spool_drop(&r->runs[i].shards[shard], &r->spool);
    return rc == 0 && c->watch ? watch_add(c->watch, 0, 0, 0, err) : rc;
}

static void merge_work(void *self, unsigned worker)
{
    struct crew *c = self;
    const struct budget *b = c->r->budget;
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
    struct spool *to;
    int rc = runs_append(r, &to, err);

    if (rc < 0)
        return rc;
    pthread_mutex_init(&c.lock, NULL);
    pool_run(r->budget->threads, merge_work, &c);
    pthread_mutex_destroy(&c.lock);
    if (c.rc < 0)
        return err_set(err, c.rc, "%s", c.err.text);
    for (size_t i = 0; i < n; i++)
        run_drop(r, &r->runs[i]);
    r->n -= n;
    memmove(r->runs, r->runs + n, r->n * sizeof *r->runs);
    return 0;
}

int runs_ready(struct runs *r, struct watch *watch, struct batch_report *report,
               struct cooc_err *err)
{
    int rc = 0;

    while (rc == 0 && r->n > BUDGET_FAN_IN) {
        size_t more = r->n - BUDGET_FAN_IN + 1;

        rc = merge_runs(r, more < BUDGET_FAN_IN ? more : BUDGET_FAN_IN, watch,
                        err);
        report->merges += rc == 0;
    }
    report->bytes = atomic_load(&r->spool.end);
    if (rc == 0 && watch)
        watch_phase(watch, "merging", "increments", r->plan->total);
    return rc;
}

/* ---- the last merge ----------------------------------------------------- */

int runs_emit(const struct runs *r, const struct count_job *job,
              const struct row_sink *out, struct cooc_err *err)
{
    const struct budget *b = r->budget;
    const uint32_t *cuts = r->plan->cuts + r->first_shard;
    const struct spool *from[BUDGET_FAN_IN];
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
