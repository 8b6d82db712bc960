/* count_run.c - shards to workers, rows through the check. */
#include "count/count_run.h"

#include <pthread.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/watch.h"
#include "rows/row_parts.h"

#define TELL_EVERY ((uint64_t)1 << 19) /* increments: 0.1 ms, or much more */
#define FORGET_AFTER ((uint64_t)1 << 16) /* postings of rows that are done */

/* Stands between a method and the shards' sinks: checks every row and opens
 * the next shard when its first row comes. */
struct gate {
    const struct count_plan *plan;
    const struct shard_sinks *sinks;
    struct watch *watch;
    uint32_t next, last; /* rows still expected */
    uint32_t shard;
    bool open;
    bool kept; /* this shard is there already: drop its rows */
    struct row_sink sink;
    uint64_t done, pairs; /* not yet told */
    const struct lists *inv; /* to be forgotten behind, or NULL */
    uint32_t behind;         /* rows before this one are forgotten */
};

static bool is_done(const struct shard_sinks *s, uint32_t shard)
{
    return s->done && s->done(s->self, shard);
}

static int close_shard(struct gate *g, bool ok, struct cooc_err *err)
{
    if (!g->open)
        return 0;
    g->open = false;
    if (g->kept) {
        g->shard++;
        return 0;
    }
    return g->sinks->end(g->sinks->self, g->shard++, &g->sink, ok, err);
}

static int open_shard(struct gate *g, struct cooc_err *err)
{
    int rc = 0;

    g->kept = is_done(g->sinks, g->shard);
    if (!g->kept)
        rc = g->sinks->begin(g->sinks->self, g->shard, &g->sink, err);
    g->open = rc == 0;
    return rc;
}

static int tell(struct gate *g, struct cooc_err *err)
{
    int rc = g->watch ? watch_add(g->watch, g->done, 0, g->pairs, err) : 0;

    g->done = g->pairs = 0;
    return rc;
}

/* Pass over the rows [g->next, t), which must be empty. */
static int skip_rows(struct gate *g, uint32_t t, struct cooc_err *err)
{
    for (; g->next < t; g->next++)
        if (g->plan->cost[g->next])
            return err_set(err, COOC_EFORMAT,
                           "internal error: row %u is missing", g->next);
    return 0;
}

/* Make the shard of row t current; those before it are complete. */
static int reach_shard(struct gate *g, uint32_t t, struct cooc_err *err)
{
    int rc = g->open ? 0 : open_shard(g, err);

    while (rc == 0 && t >= g->plan->cuts[g->shard + 1]) {
        rc = close_shard(g, true, err);
        if (rc == 0)
            rc = open_shard(g, err);
    }
    return rc;
}

static int wrong_row(const struct gate *g, uint32_t t, uint64_t sum,
                     struct cooc_err *err)
{
    uint64_t want = t >= g->next && t < g->last ? g->plan->cost[t] : 0;

    return err_set(err, COOC_EFORMAT,
                   "internal error: row %u is wrong (sum %llu, expected "
                   "%llu)", t, (unsigned long long)sum,
                   (unsigned long long)want);
}

/* Row t has been checked: everything before it is complete. */
static int enter_row(struct gate *g, uint32_t t, struct cooc_err *err)
{
    int rc = skip_rows(g, t, err);

    return rc < 0 ? rc : reach_shard(g, t, err);
}

/* Rows before t are done: so are their inverted lists and costs. */
static void forget_rows(struct gate *g, uint32_t t, uint64_t at_least)
{
    if (!g->inv || g->inv->off[t] - g->inv->off[g->behind] < at_least)
        return;
    lists_forget(g->inv, g->behind, t);
    count_plan_forget(g->plan, g->behind, t);
    g->behind = t;
}

/* Row t, whose counts add up to sum, has gone into its shard. */
static int leave_row(struct gate *g, uint32_t t, uint64_t sum, uint64_t pairs,
                     struct cooc_err *err)
{
    g->next = t + 1;
    if (g->kept) /* told when it was found */
        return g->watch ? watch_add(g->watch, 0, 0, 0, err) : 0;
    g->done += sum;
    g->pairs += pairs;
    forget_rows(g, t, FORGET_AFTER);
    return g->done >= TELL_EVERY ? tell(g, err) : 0;
}

static int pass_row(void *self, uint32_t t, const struct cooc_entry *e,
                    size_t n, struct cooc_err *err)
{
    struct gate *g = self;
    uint64_t sum = 0;
    bool bad = t < g->next || t >= g->last;
    int rc;

    for (size_t i = 0; i < n; i++) {
        sum += e[i].count;
        bad |= e[i].count == 0;
    }
    for (size_t i = 1; i < n; i++)
        bad |= e[i - 1].term >= e[i].term;
    if (bad || (n && e[n - 1].term >= t) || sum != g->plan->cost[t])
        return wrong_row(g, t, sum, err);
    rc = enter_row(g, t, err);
    if (rc == 0 && !g->kept)
        rc = g->sink.row(g->sink.self, t, e, n, err);
    return rc < 0 ? rc : leave_row(g, t, sum, n, err);
}

/* The same for a row in parts. */
static int pass_parts(void *self, uint32_t t, const struct row_parts *row,
                      struct cooc_err *err)
{
    struct gate *g = self;
    uint64_t sum = row->sum; /* counted on the planes that are written */
    int rc;

    if (t < g->next || t >= g->last || !row_parts_fit(row, t) ||
        sum != g->plan->cost[t])
        return wrong_row(g, t, sum, err);
    rc = enter_row(g, t, err);
    if (rc == 0 && !g->kept)
        rc = sink_parts(&g->sink, t, row, err);
    return rc < 0 ? rc : leave_row(g, t, sum, row->pairs, err);
}

/* Run the method on shards [first, last) in one go. */
static int run_shards(const struct count_method *method,
                      const struct count_job *job, struct gate *gate,
                      uint32_t first, uint32_t last, struct cooc_err *err)
{
    struct row_sink checked = { .row = pass_row, .parts = pass_parts,
                                .self = gate };
    struct count_job mine = *job;
    int rc, end_rc;

    gate->shard = first;
    gate->next = gate->behind = mine.first = gate->plan->cuts[first];
    gate->last = mine.last = gate->plan->cuts[last];
    if (job->inv.mapped && !method->all_lists)
        gate->inv = &job->inv;
    rc = method->run(&mine, &checked, err);
    if (rc == 0)
        rc = skip_rows(gate, gate->last, err);
    if (rc == 0)
        rc = reach_shard(gate, gate->last - 1, err);
    end_rc = close_shard(gate, rc == 0, rc == 0 ? err : NULL);
    if (rc == 0)
        rc = end_rc;
    forget_rows(gate, gate->last, 0);
    return rc == 0 ? tell(gate, err) : rc;
}

struct crew {
    const struct count_method *method;
    const struct count_plan *plan;
    const struct count_job *job;
    const struct shard_sinks *sinks;
    struct watch *watch;
    pthread_mutex_t lock;
    uint32_t next_shard, failed_shard;
    bool failed;
    struct cooc_err err; /* of the lowest failed shard */
};

/* The next shards for a worker, [*first, *last); false: no more.  A method
 * that cannot count rows apart does all if one is missing. */
static bool take_shards(struct crew *c, uint32_t *first, uint32_t *last)
{
    uint32_t n = c->plan->n_shards, i;

    pthread_mutex_lock(&c->lock);
    for (i = c->failed ? n : c->next_shard; i < n; i++)
        if (!is_done(c->sinks, i))
            break;
    *first = c->method->by_rows || i == n ? i : 0;
    *last = c->method->by_rows ? i + 1 : n;
    if (i < n)
        c->next_shard = *last;
    pthread_mutex_unlock(&c->lock);
    return i < n;
}

static void work(void *self, unsigned worker)
{
    struct crew *c = self;

    (void)worker;
    for (;;) {
        struct gate gate = { .plan = c->plan, .sinks = c->sinks,
                             .watch = c->watch };
        struct cooc_err err = { 0 };
        uint32_t first, last;
        int rc;

        if (!take_shards(c, &first, &last))
            return;
        rc = run_shards(c->method, c->job, &gate, first, last, &err);
        if (rc == 0)
            continue;
        pthread_mutex_lock(&c->lock);
        if (!c->failed || first < c->failed_shard) {
            c->failed = true;
            c->failed_shard = first;
            c->err = err;
            c->err.code = rc;
        }
        pthread_mutex_unlock(&c->lock);
    }
}

/* From the first shard that is missing to the last. */
static void wanted_rows(const struct count_plan *p,
                        const struct shard_sinks *sinks,
                        struct count_job *job)
{
    uint32_t first = 0, last = p->n_shards;

    while (first + 1 < last && is_done(sinks, first))
        first++;
    while (last - 1 > first && is_done(sinks, last - 1))
        last--;
    job->first = p->cuts[first];
    job->last = p->cuts[last];
}

int count_run(const struct count_method *method, const struct count_plan *p,
              const struct count_job *job, unsigned threads,
              const struct shard_sinks *sinks, struct watch *watch,
              struct cooc_err *err)
{
    struct count_job shared = *job;
    struct crew crew = { .method = method, .plan = p, .job = &shared,
                         .sinks = sinks, .watch = watch };
    int rc = 0;

    if (!p->n_shards)
        return 0;
    shared.shared = NULL;
    wanted_rows(p, sinks, &shared);
    shared.watch = watch;
    shared.threads = threads;
    if (method->prepare)
        rc = method->prepare(&shared, &shared.shared, err);
    if (rc < 0)
        return rc;
    if (!method->by_rows || threads > p->n_shards)
        threads = method->by_rows ? p->n_shards : 1;
    pthread_mutex_init(&crew.lock, NULL);
    pool_run(threads, work, &crew);
    pthread_mutex_destroy(&crew.lock);
    if (method->release)
        method->release(shared.shared);
    if (crew.failed)
        return err_set(err, crew.err.code, "%s", crew.err.text);
    return 0;
}
