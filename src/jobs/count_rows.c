/* count_rows.c - plan the units of a count, and count those that are missing.
 *
 * A count at once reads the whole forward index through bitmaps of the
 * documents, which serve both the omitted rows and the method.  A count in
 * batches writes runs to temporary files and adds them up (runs.c).
 */
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "count/omitted.h"
#include "jobs/counting.h"
#include "jobs/sum_rows.h"
#include "kernel/kernel.h"

#define ROWS_HELD 65536u
/* Pages of the index are given back to the kernel unless the whole index takes
 * at most this share of the memory. */
#define INDEX_HELD 32u

/* ---- planning ----------------------------------------------------------- */

void counting_init(struct counting *c)
{
    const struct cooc_count_options *o = &c->order->o;
    const struct cooc_tuning *t = &c->order->tuning;

    c->r.method = c->how->stored
                      ? "sum" : count_method_find(o->method, NULL)->about.name;
    c->r.memory = o->memory ? o->memory : memory_half();
    if (c->r.memory < COOC_COUNT_MEMORY_MIN)
        c->r.memory = COOC_COUNT_MEMORY_MIN;
    c->job.params = (struct count_params){
        .flush_pairs = t->flush_pairs,
        .block_terms = t->block_terms,
        .accumulators = t->accumulators,
        .head_terms = t->head_terms,
        .kernels = kernel_find(t->kernel, NULL),
        .tmpdir = o->tmpdir ? o->tmpdir : c->dir,
    };
    c->job.head_terms = &c->head_terms;
    c->r.kernel = c->job.params.kernels->name;
}

void counting_release(struct counting *c)
{
    doc_maps_release(&c->maps);
    mem_free(c->w.shares);
    mem_free(c->w.share_pairs);
    if (c->w.infos != c->s.manifest.shards)
        mem_free(c->w.infos);
    batch_ends_release(&c->batches);
    count_plan_release(&c->plan);
    store_close(&c->s);
    watch_release(&c->watch);
}

void counting_choose_rows(struct counting *c)
{
    struct manifest *m = &c->s.manifest;

    if (c->order->o.rows != COOC_ROWS_DEFAULT) {
        m->written = c->order->o.rows;
        m->compact_df = c->order->o.compact_df;
    }
    if (m->written == COOC_ROWS_DEFAULT)
        m->written = COOC_ROWS_COMPACT;
    if (m->compact_df == 1) { /* omits prefixes of documents only */
        m->written = COOC_ROWS_FULL;
        m->compact_df = 0;
    }
}

/* Decide whether to count in batches, and on how many threads. */
static int decide_memory(struct counting *c, struct cooc_err *err)
{
    const struct stored_rows *stored = c->how->stored;
    const struct cooc_count_options *o = &c->order->o;

    c->budget = (struct budget){
        .method = count_method_find(o->method, NULL),
        .size = budget_size(&c->plan, &c->job.fwd, &c->job.inv),
        .memory = c->r.memory,
        .costs = c->plan.mapped ? 0 : (uint64_t)c->job.inv.n * 8,
        .batch_postings = c->order->tuning.batch_postings,
        .sums = stored != NULL,
        .most_terms = stored ? stored->most_terms : 0,
        .n_shards = c->plan.n_shards,
        .threads = o->threads ? o->threads : pool_cores(),
    };
    return budget_decide(&c->budget, err);
}

/* Allocate what is known about each unit.  The infos of shards become part of
 * the manifest. */
static int make_units(struct counting *c, struct cooc_err *err)
{
    struct shard_writer *w = &c->w;

    w->n_shards = c->plan.n_shards;
    w->last = shard_writer_units(w);
    w->from.omitted_df = c->plan.omitted_df;
    w->infos = mem_zarray(w->n_shards, sizeof *w->infos);
    w->shares = mem_zarray(c->plan.n_shares, sizeof *w->shares);
    return w->infos && w->shares ? 0 : err_nomem(err);
}

static int load(struct counting *c, bool documents_only, struct cooc_err *err)
{
    const struct cooc_count_options *o = &c->order->o;
    struct lists *fwd = &c->job.fwd, *inv = &c->job.inv;

    c->s.docs.watch = &c->watch;
    if (c->how->verified || o->rows_known ||
        o->written == index_identity(c->s.manifest.files))
        return collection_trust(&c->s.docs, fwd, inv, err);
    return documents_only
               ? collection_load_docs(&c->s.docs, fwd, inv, o->threads, err)
               : collection_load(&c->s.docs, fwd, inv, o->threads, err);
}

int counting_plan(struct counting *c, bool documents_only,
                  struct cooc_err *err)
{
    const struct manifest *m = &c->s.manifest;
    const unsigned threads = c->order->o.threads;
    const struct plan_room room = {
        .memory = c->r.memory / BUDGET_COSTS,
        .threads = threads ? threads : pool_cores(),
        .dir = c->job.params.tmpdir,
    };
    uint64_t lists = m->postings * 4;
    int rc;

    watch_phase(&c->watch, "checking the index", "bytes",
                lists + (uint64_t)m->documents * 4 +
                    (documents_only ? 0 : lists + (uint64_t)m->terms * 4));
    watch_expect(&c->watch, 0, COUNTING_CHECK, 0);
    rc = load(c, documents_only, err);
    if (m->postings * 8 <= c->r.memory / INDEX_HELD) /* keep all pages */
        c->job.fwd.mapped = c->job.inv.mapped = false;
    if (rc == 0)
        rc = count_plan_within(&c->plan, &c->job.fwd, m->terms, &room, err);
    if (rc == 0 && c->plan.total != m->increments)
        rc = err_path(err, COOC_EFORMAT, c->dir,
                      "is damaged: the lengths of the documents do not match "
                      "the manifest");
    if (rc == 0)
        rc = count_plan_leave_out(
            &c->plan, &c->job.inv,
            m->written == COOC_ROWS_FULL ? 1 : m->compact_df, err);
    if (rc == 0)
        rc = decide_memory(c, err);
    if (rc == 0 && c->budget.batches && !c->how->stored)
        rc = batch_ends_init(&c->batches, &c->job.fwd, &c->budget, err);
    if (rc == 0)
        rc = make_units(c, err);
    c->r.increments = c->plan.total;
    c->r.shards = c->plan.n_shards;
    return rc;
}

/* Give pages of the rows before t back to the kernel, for loops over all
 * rows. */
static void forget_before(const struct counting *c, uint32_t t)
{
    if (t % ROWS_HELD || !t)
        return;
    lists_forget(&c->job.inv, t - ROWS_HELD, t);
    count_plan_forget(&c->plan, t - ROWS_HELD, t);
}

static const uint32_t *cuts_of(const struct counting *c, uint32_t unit)
{
    return unit < c->w.n_shards ? c->plan.cuts + unit
                                : c->plan.share_cuts + (unit - c->w.n_shards);
}

uint64_t counting_work(const struct counting *c, uint32_t unit)
{
    const uint32_t *cuts = cuts_of(c, unit);
    uint64_t work = 0;

    for (uint32_t t = cuts[0]; t < cuts[1]; t++) {
        work += count_plan_work(&c->plan, &c->job.inv, t);
        forget_before(c, t);
    }
    return work;
}

static uint64_t unit_cost(const struct counting *c, uint32_t unit)
{
    const uint32_t *cuts = cuts_of(c, unit);
    uint64_t cost = 0;

    for (uint32_t t = cuts[0]; t < cuts[1]; t++)
        cost += c->plan.cost[t];
    count_plan_forget(&c->plan, cuts[0], cuts[1]);
    return cost;
}

uint64_t counting_increments(const struct counting *c)
{
    uint64_t sum = 0;

    if (!c->w.shared)
        return c->plan.total;
    for (uint32_t i = c->w.first; i < c->w.last; i++)
        sum += unit_cost(c, i);
    return sum;
}

/* ---- counting ----------------------------------------------------------- */

/* Count the shards that are missing. */
static int count_missing(struct counting *c, const struct count_method *method,
                         struct cooc_err *err)
{
    struct shard_sinks sinks = shard_writer_sinks(&c->w);

    return count_run(method, &c->plan, &c->job, c->budget.threads, &sinks,
                     &c->watch, err);
}

/* The number of terms in more than one document.  (df falls with the id.) */
static uint32_t terms_in_two(const struct lists *inv)
{
    uint32_t lo = 0, hi = inv->n;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (inv->off[mid + 1] - inv->off[mid] > 1)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int make_maps(struct counting *c, struct cooc_err *err)
{
    const struct doc_maps_want want = {
        .fwd = &c->job.fwd, .n_terms = c->job.inv.n,
        .last = terms_in_two(&c->job.inv),
        .width = c->job.params.head_terms, .memory = c->budget.shared,
        .threads = c->budget.threads, .watch = &c->watch,
    };
    double start = clock_seconds();
    int rc = c->has_maps ? 0 : doc_maps_init(&c->maps, &want, err);

    if (!c->has_maps)
        c->maps_seconds = clock_seconds() - start;
    c->has_maps = rc == 0;
    c->job.maps = &c->maps;
    c->head_terms = c->maps.widest < c->job.inv.n ? c->maps.widest
                                                  : c->job.inv.n;
    return rc;
}

static bool has_share(void *self, uint32_t share)
{
    struct counting *c = self;

    return shard_writer_has(&c->w, c->w.n_shards + share);
}

static int finish_share(void *self, uint32_t share, uint64_t pairs,
                        struct cooc_err *err)
{
    struct counting *c = self;

    return shard_writer_share(&c->w, share, pairs, err);
}

static int count_at_once(struct counting *c, struct cooc_err *err)
{
    const struct omitted_ranges shares = {
        .cuts = c->plan.share_cuts, .n = c->plan.n_shares, .self = c,
        .done = has_share, .finish = finish_share,
    };
    int rc = 0;

    c->job.params.memory = c->budget.worker;
    c->job.params.shared_memory = c->budget.shared;
    if (c->budget.method->by_maps)
        rc = make_maps(c, err);
    if (rc == 0)
        rc = omitted_count(&c->plan, &c->job, c->budget.threads, &c->watch,
                           &shares, err);
    if (rc == 0)
        rc = count_missing(c, c->budget.method, err);
    c->job.maps = NULL;
    if (!c->w.shared) {
        doc_maps_release(&c->maps);
        c->has_maps = false;
    }
    return rc;
}

/* Compute the pairs of the rows from `single` on, which are those of terms with
 * one document, in each share.  Shares with no other rows are finished. */
static int count_single(struct counting *c, uint32_t single,
                        struct cooc_err *err)
{
    const uint32_t *cuts = c->plan.share_cuts;
    uint64_t *pairs = c->w.share_pairs;
    int rc = 0;

    if (!pairs)
        pairs = c->w.share_pairs = mem_zarray(c->plan.n_shares, sizeof *pairs);
    if (!pairs)
        return err_nomem(err);
    for (uint32_t i = 0; i < c->plan.n_shares && rc == 0; i++) {
        uint32_t first = cuts[i] > single ? cuts[i] : single;

        pairs[i] = 0;
        for (uint32_t t = first; t < cuts[i + 1]; t++) {
            pairs[i] += c->plan.cost[t];
            forget_before(c, t);
        }
        if (cuts[i] >= single && !has_share(c, i))
            rc = shard_writer_share(&c->w, i, pairs[i], err);
        if (rc == 0)
            rc = watch_add(&c->watch, pairs[i], 0, pairs[i], err);
    }
    return rc;
}

/* Count in runs.  Omitted rows are counted as well, because the number of
 * their pairs is needed; only for terms with a single document is it
 * known in advance. */
static int count_in_runs(struct counting *c, struct cooc_err *err)
{
    const struct stored_rows *stored = c->how->stored;
    const struct shard_sinks sinks = shard_writer_sinks(&c->w);
    const struct runs_job given = {
        .fill = stored ? sum_rows : batch_count, .plan = &c->plan,
        .budget = &c->budget, .report = &c->runs, .sinks = &sinks,
        .stored = stored,
    };
    uint32_t single = terms_in_two(&c->job.inv);
    int rc;

    single = single > c->plan.made ? single : c->plan.made;
    rc = count_single(c, single, err);
    if (rc == 0)
        rc = count_plan_widen(&c->plan, single, err);
    c->job.given = &given;
    if (rc == 0)
        rc = count_missing(c, &runs_method, err);
    c->job.given = NULL;
    c->plan.n_shards = c->w.n_shards;
    return rc;
}

/* Begin the phase, and predict the time that the missing units take, for
 * methods with bitmaps; other methods take about the same time per
 * increment. */
static void expect_counting(struct counting *c)
{
    uint64_t work = 0, kept = 0, kept_cost = 0;

    for (uint32_t i = c->w.first; i < c->w.last; i++) {
        bool known = shard_writer_knows(&c->w, i);
        uint64_t one = c->budget.batches ? 0 : counting_work(c, i);

        kept_cost += known ? unit_cost(c, i) : 0;
        work += one;
        kept += known ? one : 0;
    }
    c->r.increments = counting_increments(c);
    watch_resume(&c->watch, "counting", "increments", c->r.increments,
                 kept_cost, c->kept_pairs);
    if (c->budget.batches)
        return; /* has phases of its own */
    watch_expect(&c->watch, COUNTING_CHECK, 1,
                 c->budget.method->by_maps ? work : 0);
    watch_worked(&c->watch, kept);
}

int counting_run(struct counting *c, struct cooc_err *err)
{
    bool missing = false;

    expect_counting(c);
    for (uint32_t i = c->w.first; i < c->w.last && !missing; i++)
        missing = !shard_writer_knows(&c->w, i);
    if (!missing)
        return 0;
    return c->budget.batches ? count_in_runs(c, err) : count_at_once(c, err);
}

void counting_report(struct counting *c)
{
    struct cooc_count_report *r = &c->r;
    uint32_t n = (uint32_t)r->shards;

    r->head_terms = c->head_terms;
    r->threads = c->budget.threads;
    r->batches = c->runs.batches;
    r->temporary_bytes = c->runs.bytes;
    if ((!c->budget.method->by_rows && !r->batches) || !n)
        r->threads = 1;
    else if (r->threads > n) /* one thread per shard */
        r->threads = n;
    r->omitted_df = c->plan.omitted_df;
    r->omitted_rows = c->job.inv.n - c->plan.made;
    for (uint32_t i = c->w.first; i < c->w.last; i++)
        if (i < c->w.n_shards) {
            r->row_bytes += c->w.infos[i].id.size;
            r->pairs += c->w.infos[i].pairs;
        } else {
            r->omitted_pairs += c->w.shares[i - c->w.n_shards].pairs;
        }
    r->pairs += r->omitted_pairs;
}
