/* count.c - cooc_count(): count the rows of a store.
 *
 * Counting adds files that become part of the store only in the last step, when
 * the new manifest is written.  If a count ends before that, the finished
 * shards remain, and the next count continues from them (resume.c).
 *
 * A recount writes the same bytes again, so the old rows remain valid while
 * they are replaced shard by shard, and a recount that fails halfway does no
 * harm.  Only if other rows are to be omitted than before do the files differ;
 * then the old rows are discarded first.
 */
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "count/omitted.h"
#include "jobs/counting.h"
#include "jobs/input_fingerprint.h"
#include "jobs/sum_rows.h"
#include "kernel/kernel.h"
#include "rows/doc_maps.h"

#define ROWS_HELD 65536u

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

/* Verify the collection, unless that is not necessary, and plan its rows. */
static int load_documents(struct counting *c, struct cooc_err *err)
{
    const struct manifest *m = &c->s.manifest;
    int rc;

    watch_phase(&c->watch, "checking the index", "bytes",
                m->postings * 8 + (uint64_t)m->documents * 4 +
                    (uint64_t)m->terms * 4);
    watch_expect(&c->watch, 0, COUNTING_CHECK, 0);
    c->s.docs.watch = &c->watch;
    rc = c->how->verified || c->order->o.written == index_identity(m->files)
             ? collection_trust(&c->s.docs, &c->job.fwd, &c->job.inv, err)
             : collection_load(&c->s.docs, &c->job.fwd, &c->job.inv,
                               c->order->o.threads, err);
    if (rc == 0)
        rc = count_plan_within(&c->plan, &c->job.fwd, m->terms,
                               c->r.memory / BUDGET_COSTS,
                               c->job.params.tmpdir, err);
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
    c->w.from.omitted_df = c->plan.omitted_df;
    c->r.increments = c->plan.total;
    c->r.shards = c->plan.n_shards;
    return rc;
}

/* Whether the shards in the manifest are those of the plan. */
static bool same_rows(const struct manifest *m, const struct count_plan *p)
{
    if (m->n_shards != p->n_shards || m->omitted.df != p->omitted_df ||
        rows_written(m) != p->made)
        return false;
    for (uint32_t i = 0; i < m->n_shards; i++)
        if (m->shards[i].last != p->cuts[i + 1])
            return false;
    return true;
}

/* Discard old rows that cannot be replaced shard by shard. */
static int discard_old_rows(struct counting *c, struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    int rc;

    if (!m->counted || same_rows(m, &c->plan))
        return 0;
    m->counted = false;
    rc = manifest_write(m, c->dir, err);
    return rc < 0 ? rc : resume_clean(c->dir, 0, err);
}

/* Find the rows that already exist; w->infos says which shards are finished. */
static int begin_rows(struct counting *c, struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    struct cooc_estimate *e = &c->estimate;
    int rc = discard_old_rows(c, err);

    c->recount = m->counted;
    for (uint32_t i = 0; i < m->n_shards; i++)
        if (m->shards[i].id.size > c->largest)
            c->largest = m->shards[i].id.size;
    if (rc == 0)
        rc = resume_clean(c->dir, c->plan.n_shards, err);
    mem_free(m->shards);
    m->n_shards = 0;
    c->w.n_shards = c->plan.n_shards;
    m->shards = c->w.infos = mem_zarray(c->w.n_shards, sizeof *c->w.infos);
    if (rc == 0 && !c->w.infos)
        rc = err_nomem(err);
    if (rc == 0 && !c->recount)
        rc = resume_shards(&c->w, &e->shards_kept, &e->shards_dropped,
                           &c->watch, err);
    for (uint32_t i = 0; rc == 0 && i < c->plan.n_shards; i++) {
        const struct shard_info *info = &c->w.infos[i];

        for (uint32_t t = info->first; t < info->last; t++)
            c->kept_cost += c->plan.cost[t];
        count_plan_forget(&c->plan, info->first, info->last);
        c->kept_pairs += info->pairs;
        c->kept_bytes += info->id.size;
    }
    c->r.shards_done = e->shards_kept;
    return rc;
}

/* Make all shards part of the store by writing the manifest. */
static int publish_rows(struct counting *c, uint64_t omitted,
                        struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    int rc;

    watch_phase(&c->watch, "writing the manifest", "", 0);
    watch_expect(&c->watch, 1, 1, 0);
    rc = watch_add(&c->watch, 0, 0, 0, err);
    if (rc < 0)
        return rc;
    m->omitted = (struct omitted_info){ .df = c->plan.omitted_df,
                                        .rows = m->terms - c->plan.made,
                                        .pairs = omitted };
    m->n_shards = c->plan.n_shards;
    m->pairs = omitted;
    for (uint32_t i = 0; i < m->n_shards; i++)
        m->pairs += m->shards[i].pairs;
    m->counted = true;
    return manifest_write(m, c->dir, err);
}

/* Record which shards are finished and, if the disk is full, what the
 * remaining shards need. */
static void record_outcome(struct counting *c, int rc)
{
    c->r.shards_done = 0;
    for (uint32_t i = 0; i < c->plan.n_shards; i++)
        c->r.shards_done += c->w.infos[i].id.size > 0;
    if (rc < 0)
        resume_clean(c->dir, c->plan.n_shards, NULL);
    if (rc == COOC_EFULL)
        counting_estimate_again(c);
}

/* Count the shards that are missing. */
static int count_missing(struct counting *c, const struct count_method *method,
                         struct cooc_err *err)
{
    struct shard_sinks sinks = shard_writer_sinks(&c->w);

    if (c->r.shards_done == c->plan.n_shards)
        return 0;
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

/* The bitmaps serve both the omitted rows and the method. */
static int count_at_once(struct counting *c, uint64_t *omitted,
                         struct cooc_err *err)
{
    const struct doc_maps_want want = {
        .fwd = &c->job.fwd, .n_terms = c->job.inv.n,
        .last = terms_in_two(&c->job.inv),
        .width = c->job.params.head_terms, .memory = c->budget.shared,
        .threads = c->budget.threads, .watch = &c->watch,
    };
    struct doc_maps maps = { 0 };
    int rc = 0;

    c->job.params.memory = c->budget.worker;
    c->job.params.shared_memory = c->budget.shared;
    if (c->budget.method->by_maps) {
        rc = doc_maps_init(&maps, &want, err);
        c->job.maps = &maps;
        c->head_terms = maps.widest < c->job.inv.n ? maps.widest
                                                   : c->job.inv.n;
    }
    if (rc == 0)
        rc = omitted_pairs(&c->plan, &c->job, c->budget.threads, &c->watch,
                           omitted, err);
    if (rc == 0)
        rc = count_missing(c, c->budget.method, err);
    c->job.maps = NULL;
    doc_maps_release(&maps);
    return rc;
}

/* Count in runs.  Omitted rows are counted as well, because the number of
 * their pairs is needed; only for terms with a single document is it
 * known in advance. */
static int count_in_runs(struct counting *c, uint64_t *omitted,
                         struct cooc_err *err)
{
    const struct stored_rows *stored = c->how->stored;
    const struct shard_sinks sinks = shard_writer_sinks(&c->w);
    const struct runs_job given = {
        .fill = stored ? sum_rows : batch_count, .plan = &c->plan,
        .budget = &c->budget, .report = &c->runs, .sinks = &sinks,
        .stored = stored,
    };
    const struct lists *inv = &c->job.inv;
    struct count_plan single = c->plan; /* omits only df = 1 */
    int rc;

    while (single.made < inv->n &&
           inv->off[single.made + 1] - inv->off[single.made] > 1)
        single.made++;
    rc = omitted_pairs(&single, &c->job, 1, &c->watch, omitted, err);
    if (rc == 0)
        rc = count_plan_widen(&c->plan, single.made, err);
    c->job.given = &given;
    if (rc == 0)
        rc = count_missing(c, &runs_method, err);
    c->plan.n_shards = c->w.n_shards;
    *omitted += atomic_load(&c->w.unwritten);
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

/* Predict the time that the missing rows take, for methods with bitmaps; other
 * methods take about the same time per increment. */
static void expect_counting(struct counting *c)
{
    uint64_t work = 0, kept = 0;

    if (c->budget.batches)
        return; /* has phases of its own */
    for (uint32_t i = 0; i < c->plan.n_shards; i++)
        for (uint32_t t = c->plan.cuts[i]; t < c->plan.cuts[i + 1]; t++) {
            uint64_t row = count_plan_work(&c->plan, &c->job.inv, t);

            work += row;
            kept += c->w.infos[i].id.size ? row : 0;
            forget_before(c, t);
        }
    for (uint32_t t = c->plan.made; t < c->job.inv.n; t++) {
        work += count_plan_work(&c->plan, &c->job.inv, t);
        forget_before(c, t);
    }
    watch_expect(&c->watch, COUNTING_CHECK, 1,
                 c->budget.method->by_maps ? work : 0);
    watch_worked(&c->watch, kept);
}

static int count_rows(struct counting *c, struct cooc_err *err)
{
    uint64_t omitted = 0;
    int rc;

    watch_resume(&c->watch, "counting", "increments", c->plan.total,
                 c->kept_cost, c->kept_pairs);
    expect_counting(c);
    rc = c->budget.batches ? count_in_runs(c, &omitted, err)
                           : count_at_once(c, &omitted, err);
    if (rc == 0)
        rc = publish_rows(c, omitted, err);
    record_outcome(c, rc);
    return rc;
}

static void fill_report(struct counting *c)
{
    struct cooc_count_report *r = &c->r;
    const struct manifest *m = &c->s.manifest;

    r->threads = c->budget.threads;
    r->batches = c->runs.batches;
    r->temporary_bytes = c->runs.bytes;
    if ((!c->budget.method->by_rows && !r->batches) || !m->n_shards)
        r->threads = 1;
    else if (r->threads > m->n_shards) /* one thread per shard */
        r->threads = m->n_shards;
    r->pairs = m->pairs;
    r->omitted_df = m->omitted.df;
    r->omitted_rows = m->omitted.rows;
    r->omitted_pairs = m->omitted.pairs;
    for (uint32_t i = 0; i < m->n_shards; i++)
        r->row_bytes += m->shards[i].id.size;
}

/* Decide which rows to write: a recount writes the same kind of rows as before,
 * unless the options say otherwise. */
static void choose_rows(struct counting *c)
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

static int count_all(struct counting *c, struct cooc_err *err)
{
    int rc;

    c->w = (struct shard_writer){
        .dir = c->dir, .plan = &c->plan, .watch = &c->watch,
        .k = c->job.params.kernels,
        .from = { .collection = seal_collection(c->s.manifest.files) },
    };
    if (c->s.manifest.counted && !c->order->o.recount)
        return err_path_option(err, COOC_EEXISTS, c->dir, "recount",
                               "the pairs of this store are already counted");
    if (workdir_access(c->dir, W_OK | X_OK) < 0) /* fail early */
        return err_sys(err, "cannot write to the store", c->dir);
    choose_rows(c);
    rc = load_documents(c, err);
    if (rc == 0)
        rc = begin_rows(c, err);
    if (rc == 0)
        rc = counting_estimate(c, err);
    if (rc == 0)
        rc = count_rows(c, err);
    if (rc == 0)
        fill_report(c);
    return rc;
}

static void fill_job(struct counting *c)
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

int count_rows_in(const char *dir, const struct count_order *order,
                  const struct rows_order *how, struct count_outcome *outcome,
                  struct cooc_err *err)
{
    struct counting c = { .dir = dir, .order = order, .how = how };
    double start = clock_seconds();
    int rc;

    fill_job(&c);
    rc = watch_init(&c.watch, &order->watch, err);
    if (rc == 0)
        rc = store_open(&c.s, dir, false, err);
    if (rc == 0)
        rc = count_all(&c, err);
    c.r.seconds = clock_seconds() - start;
    c.r.head_terms = c.head_terms;
    *outcome = (struct count_outcome){ .r = c.r, .estimate = c.estimate };
    batch_ends_release(&c.batches);
    count_plan_release(&c.plan);
    store_close(&c.s);
    watch_release(&c.watch);
    return rc;
}

/* Lock the directory at path and count in it, even if it is renamed later. */
static int count_locked(struct workdir *workdir, const char *path,
                        const struct count_order *order,
                        struct count_outcome *outcome, struct cooc_err *err)
{
    const struct rows_order how = { 0 };
    int lock, rc = dir_lock(&lock, path, path, err);

    if (rc < 0)
        return rc;
    workdir_alias(workdir, path, lock);
    rc = count_rows_in(path, order, &how, outcome, err);
    if (rc == 0 || rc == COOC_EEXISTS || rc == COOC_EFORMAT)
        /* counted, or damaged and to be indexed again */
        input_fingerprint_remove(path);
    workdir_alias(workdir, NULL, -1);
    dir_unlock(lock);
    return rc;
}

int cooc_count(const char *path, const struct cooc_count_options *options,
               struct cooc_count_report *report, struct cooc_err *err)
{
    struct count_order order;
    struct count_outcome own = { 0 };
    struct manifest m = { 0 };
    struct workdir workdir;
    int rc = workdir_begin(&workdir, err);

    if (rc == 0)
        rc = count_report_check(report, err);
    if (rc == 0)
        rc = count_order_read(&order, options, err);
    if (rc == 0) /* first, for better messages */
        rc = manifest_read(&m, path, err);
    manifest_release(&m);
    if (rc == 0)
        rc = count_locked(&workdir, path, &order, &own, err);
    workdir_end(&workdir);
    if (rc < 0) /* a published store remains a success */
        rc = library_alloc_end(rc, err);
    count_report_write(&own, report);
    return rc;
}
