/* count_run.c - assign shards to workers and check every row. */
#include "count/count_run.h"

#include "base/err.h"
#include "base/pool.h"

#define REPORT_EVERY ((uint64_t)1 << 19) /* increments: 0.1 ms or more */
#define FORGET_AFTER ((uint64_t)1 << 16) /* postings of finished rows */

/* State shared by all workers. */
struct count_loop {
    const struct count_method *method;
    const struct count_plan *plan;
    const struct count_job *job;
    const struct shard_sinks *sinks;
    uint32_t first, last; /* all missing shards are in [first, last) */
    bool forgets; /* give back lists and costs of finished rows */
};

/* Sits between a method and the sinks of the shards: checks every row, and
 * opens the next shard when its first row arrives. */
struct gate {
    const struct count_loop *c;
    uint32_t next, last; /* rows [next, last) are still expected */
    uint32_t shard;
    bool open;
    bool kept; /* the shard already exists: discard its rows */
    struct row_sink sink;
    uint64_t done, pairs; /* increments and pairs not yet reported */
    uint64_t work;        /* predicted time not yet reported */
    uint32_t forgotten;   /* rows before this one were given back */
};

static bool is_done(const struct shard_sinks *s, uint32_t shard)
{
    return s->done && s->done(s->self, shard);
}

static int close_shard(struct gate *g, bool ok, struct cooc_err *err)
{
    const struct shard_sinks *s = g->c->sinks;
    uint32_t shard = g->shard;

    if (!g->open)
        return 0;
    g->open = false;
    g->shard++;
    return g->kept ? 0 : s->end(s->self, shard, &g->sink, ok, err);
}

static int open_shard(struct gate *g, struct cooc_err *err)
{
    const struct shard_sinks *s = g->c->sinks;
    int rc = 0;

    g->kept = is_done(s, g->shard);
    if (!g->kept)
        rc = s->begin(s->self, g->shard, &g->sink, err);
    g->open = rc == 0;
    return rc;
}

static int report(struct gate *g, struct cooc_err *err)
{
    int rc;

    watch_worked(g->c->job->watch, g->work);
    rc = watch_add(g->c->job->watch, g->done, 0, g->pairs, err);
    g->done = g->pairs = g->work = 0;
    return rc;
}

/* Skip the rows [g->next, t), which must be empty. */
static int skip_rows(struct gate *g, uint32_t t, struct cooc_err *err)
{
    for (; g->next < t; g->next++)
        if (g->c->plan->cost[g->next])
            return err_set(err, COOC_EFORMAT,
                           "internal error: row %u is missing", g->next);
    return 0;
}

/* Make the shard of row t the current one; complete all shards before it. */
static int reach_shard(struct gate *g, uint32_t t, struct cooc_err *err)
{
    int rc = g->open ? 0 : open_shard(g, err);

    while (rc == 0 && t >= g->c->plan->cuts[g->shard + 1]) {
        rc = close_shard(g, true, err);
        if (rc == 0)
            rc = open_shard(g, err);
    }
    return rc;
}

/* Check that row t may come next; `good` says whether its entries are valid,
 * sum is the sum of its counts.  Then complete everything before it. */
static int enter_row(struct gate *g, uint32_t t, bool good, uint64_t sum,
                     struct cooc_err *err)
{
    uint64_t want = t >= g->next && t < g->last ? g->c->plan->cost[t] : 0;
    int rc;

    if (!good || t < g->next || t >= g->last || sum != want)
        return err_set(err, COOC_EFORMAT,
                       "internal error: row %u is wrong (sum %llu, expected "
                       "%llu)", t, (unsigned long long)sum,
                       (unsigned long long)want);
    rc = skip_rows(g, t, err);
    return rc < 0 ? rc : reach_shard(g, t, err);
}

/* Give the inverted lists and costs of rows before t back to the kernel, if
 * they have at least this number of postings. */
static void forget_rows(struct gate *g, uint32_t t, uint64_t at_least)
{
    const struct lists *inv = &g->c->job->inv;

    if (!g->c->forgets || inv->off[t] - inv->off[g->forgotten] < at_least)
        return;
    lists_forget(inv, g->forgotten, t);
    count_plan_forget(g->c->plan, g->forgotten, t);
    g->forgotten = t;
}

/* Called after row t has been passed to its shard. */
static int leave_row(struct gate *g, uint32_t t, uint64_t sum, uint64_t pairs,
                     struct cooc_err *err)
{
    g->next = t + 1;
    if (g->kept) /* reported by watch_resume() */
        return watch_add(g->c->job->watch, 0, 0, 0, err);
    g->done += sum;
    g->pairs += pairs;
    g->work += count_plan_work(g->c->plan, &g->c->job->inv, t);
    forget_rows(g, t, FORGET_AFTER);
    return g->done >= REPORT_EVERY ? report(g, err) : 0;
}

static int pass_row(void *self, uint32_t t, const struct entry *e,
                    size_t n, struct cooc_err *err)
{
    struct gate *g = self;
    uint64_t sum = 0;
    bool good = !n || e[n - 1].term < t;
    int rc;

    for (size_t i = 0; i < n; i++) {
        sum += e[i].count;
        good &= e[i].count != 0;
    }
    for (size_t i = 1; i < n; i++)
        good &= e[i - 1].term < e[i].term;
    rc = enter_row(g, t, good, sum, err);
    if (rc == 0 && !g->kept)
        rc = g->sink.row(g->sink.self, t, e, n, err);
    return rc < 0 ? rc : leave_row(g, t, sum, n, err);
}

/* The same as pass_row() for a row in parts.  Its sum was computed from the
 * planes that are written. */
static int pass_parts(void *self, uint32_t t, const struct row_parts *row,
                      struct cooc_err *err)
{
    struct gate *g = self;
    int rc = enter_row(g, t, row_parts_fit(row, t), row->sum, err);

    if (rc == 0 && !g->kept)
        rc = g->sink.parts(g->sink.self, t, row, err);
    return rc < 0 ? rc : leave_row(g, t, row->sum, row->pairs, err);
}

/* Count the shards [first, last) in one run of the method. */
static int run_shards(const struct count_loop *c, uint32_t first, uint32_t last,
                      struct cooc_err *err)
{
    struct count_job mine = *c->job;
    struct gate g = { .c = c, .shard = first };
    struct row_sink checked = { .row = pass_row, .parts = pass_parts,
                                .self = &g };
    int rc, end_rc;

    g.next = g.forgotten = mine.first = c->plan->cuts[first];
    g.last = mine.last = c->plan->cuts[last];
    rc = c->method->run(&mine, &checked, err);
    if (rc == 0)
        rc = skip_rows(&g, g.last, err);
    if (rc == 0)
        rc = reach_shard(&g, g.last - 1, err);
    end_rc = close_shard(&g, rc == 0, rc == 0 ? err : NULL);
    if (rc == 0)
        rc = end_rc;
    forget_rows(&g, g.last, 0);
    return rc == 0 ? report(&g, err) : rc;
}

/* A job is one shard, or all of them if the method is not by_rows. */
static int run_job(void *self, unsigned worker, uint64_t job,
                   struct cooc_err *err)
{
    const struct count_loop *c = self;
    uint32_t shard = c->first + (uint32_t)job;

    (void)worker;
    if (!c->method->by_rows)
        return run_shards(c, c->first, c->last, err);
    return is_done(c->sinks, shard) ? 0 : run_shards(c, shard, shard + 1, err);
}

int count_run(const struct count_method *method, const struct count_plan *p,
              const struct count_job *job, unsigned threads,
              const struct shard_sinks *sinks, struct watch *watch,
              struct cooc_err *err)
{
    struct count_job shared = *job;
    struct count_loop c = { .method = method, .plan = p, .job = &shared,
                          .sinks = sinks, .last = p->n_shards };
    int rc = 0;

    while (c.first < c.last && is_done(sinks, c.first))
        c.first++;
    while (c.last > c.first && is_done(sinks, c.last - 1))
        c.last--;
    if (c.first == c.last)
        return 0;
    c.forgets = job->inv.mapped && !method->all_lists;
    shared.shared = NULL;
    shared.first = p->cuts[c.first];
    shared.last = p->cuts[c.last];
    shared.watch = watch;
    shared.threads = threads;
    if (method->prepare)
        rc = method->prepare(&shared, &shared.shared, err);
    if (rc < 0)
        return rc;
    rc = pool_for(method->by_rows ? c.last - c.first : 1, threads, run_job, &c,
                  err);
    if (method->release)
        method->release(shared.shared);
    return rc;
}
