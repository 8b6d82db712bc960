/* runs.c - a list of runs, merging them, and the method made of both. */
#include "jobs/runs.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"

/* ---- the list ----------------------------------------------------------- */

static void choose_shards(struct runs *r, const struct count_job *job)
{
    const struct count_plan *p = r->given->plan;
    uint32_t last = p->n_shards;

    while (r->first_shard < last && p->cuts[r->first_shard + 1] <= job->first)
        r->first_shard++;
    while (last > r->first_shard && p->cuts[last - 1] >= job->last)
        last--;
    r->shards = last - r->first_shard;
    r->cuts = p->cuts + r->first_shard;
}

int runs_append(struct runs *r, struct spool **to, struct cooc_err *err)
{
    int rc = array_grow(&r->runs, &r->cap, r->n + 1, sizeof *r->runs, err);

    if (rc < 0)
        return rc;
    *to = mem_zarray(r->shards, sizeof **to);
    if (!*to)
        return err_nomem(err);
    r->runs[r->n++] = *to;
    return 0;
}

/* Drop the first n runs. */
static void drop_runs(struct runs *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < r->shards; k++)
            spool_drop(&r->runs[i][k], &r->spool);
        mem_free(r->runs[i]);
    }
}

/* ---- fewer runs --------------------------------------------------------- */

/* The first n runs become the last one. */
struct merging_runs {
    struct runs *r;
    size_t n;
    struct watch *watch;
    struct run_merger *mergers; /* by worker */
};

/* Add up a shard of the first n runs; copy as in run_merge(). */
static int merge_shard(const struct runs *r, struct run_merger *m, size_t n,
                       uint32_t shard, const struct row_sink *out,
                       struct run_writer *copy, struct cooc_err *err)
{
    const struct spool *from[BUDGET_FAN_IN];

    for (size_t i = 0; i < n; i++)
        from[i] = &r->runs[i][shard];
    return run_merge(m, from, n, r->cuts[shard + 1], out, copy, err);
}

static int open_merger(const struct runs *r, struct run_merger *m, size_t n,
                       struct cooc_err *err)
{
    const struct budget *b = r->given->budget;
    int rc = run_merger_init(m, &r->spool, n, b->window, b->dense, err);

    m->scratch.k = r->k;
    return rc;
}

static int merge_job(void *self, unsigned worker, uint64_t shard,
                     struct cooc_err *err)
{
    struct merging_runs *c = self;
    struct run_merger *m = &c->mergers[worker];
    struct runs *r = c->r;
    struct run_writer w = runs_writer(r, &r->runs[r->n - 1][shard]);
    int rc = m->inputs ? 0 : open_merger(r, m, BUDGET_FAN_IN, err);

    if (rc == 0)
        rc = merge_shard(r, m, c->n, (uint32_t)shard, NULL, &w, err);
    if (rc == 0)
        rc = run_writer_finish(&w, err);
    run_writer_release(&w);
    for (size_t i = 0; i < c->n; i++)
        spool_drop(&r->runs[i][shard], &r->spool);
    return rc < 0 ? rc : watch_add(c->watch, 0, 0, 0, err);
}

/* Make one run of the first n, and put it last. */
static int merge_runs(struct runs *r, size_t n, struct watch *watch,
                      struct cooc_err *err)
{
    unsigned threads = r->given->budget->threads;
    struct merging_runs c = { .r = r, .n = n, .watch = watch };
    struct spool *to;
    int rc = runs_append(r, &to, err);

    if (rc < 0)
        return rc;
    c.mergers = mem_zarray(threads, sizeof *c.mergers);
    rc = c.mergers ? pool_for(r->shards, threads, merge_job, &c, err)
                   : err_nomem(err);
    for (unsigned i = 0; c.mergers && i < threads; i++)
        run_merger_release(&c.mergers[i]);
    mem_free(c.mergers);
    if (rc < 0)
        return rc;
    drop_runs(r, n);
    r->n -= n;
    memmove(r->runs, r->runs + n, r->n * sizeof *r->runs);
    return 0;
}

/* All runs are there: merge until at most BUDGET_FAN_IN are left. */
static int merge_until_few(struct runs *r, struct watch *watch,
                           struct cooc_err *err)
{
    struct runs_report *report = r->given->report;
    int rc = 0;

    while (rc == 0 && r->n > BUDGET_FAN_IN) {
        size_t more = r->n - BUDGET_FAN_IN + 1;

        rc = merge_runs(r, more < BUDGET_FAN_IN ? more : BUDGET_FAN_IN, watch,
                        err);
        report->merges += rc == 0;
    }
    report->bytes = atomic_load(&r->spool.end);
    return rc;
}

/* ---- the method --------------------------------------------------------- */

static void release(void *runs)
{
    struct runs *r = runs;

    if (!r)
        return;
    spool_file_close(&r->spool); /* first: nothing need be given back */
    drop_runs(r, r->n);
    mem_free(r->runs);
    mem_free(r);
}

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    const struct runs_job *given = job->given;
    struct runs *r = *shared = mem_zarray(1, sizeof *r);
    int rc;

    if (!r)
        return err_nomem(err);
    r->given = given;
    r->k = job->params.kernels;
    choose_shards(r, job);
    rc = spool_file_open(&r->spool, job->params.tmpdir, err);
    if (rc == 0)
        rc = given->fill(r, job, err);
    if (rc == 0)
        rc = merge_until_few(r, job->watch, err);
    if (rc == 0)
        watch_phase(job->watch, "merging", "increments", given->plan->total);
    if (rc < 0) {
        release(r);
        *shared = NULL;
    }
    return rc;
}

/* The last merge. */
static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    const struct runs *r = job->shared;
    struct run_merger m;
    int rc = open_merger(r, &m, r->n, err);

    for (uint32_t i = 0; i < r->shards && rc == 0; i++)
        if (r->cuts[i] >= job->first && r->cuts[i + 1] <= job->last)
            rc = merge_shard(r, &m, r->n, i, out, NULL, err);
    run_merger_release(&m);
    return rc;
}

const struct count_method runs_method = { .by_rows = true,
                                          .prepare = prepare,
                                          .release = release,
                                          .run = run };
