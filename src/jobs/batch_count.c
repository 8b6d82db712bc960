/* batch_count.c - counting in batches.
 *
 *     for each batch of documents
 *         count it with the inner method, on all threads
 *         write its rows to the spool: a run, a stream for each shard
 *     for each shard
 *         add up the rows of all runs (runs.c)
 *
 * Cost.  A row is coded, written, read and decoded for each batch that holds
 * its term, and its sum is coded again; with more than BUDGET_FAN_IN batches
 * some rows take the way through the file once more.
 *
 * The memory is what budget.c says.
 */
#include "jobs/batch_count.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "count/count_run.h"
#include "jobs/batch.h"
#include "jobs/runs.h"
#include "rows/row_parts.h"

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
    struct spool *to; /* by shard */
    const struct batch *b;
    const struct batch_job *given;
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
    uint64_t words =
        row->n_tail ? (uint64_t)row->tail[row->n_tail - 1] + 1 : row->head;

    return !b->n_names || words * 64 <= b->zone;
}

static int add_parts(void *self, uint32_t local, const struct row_parts *row,
                     struct cooc_err *err)
{
    struct segment *s = self;
    size_t n;
    int rc;

    if (in_zone(s->b, row))
        return run_writer_parts(&s->w, batch_term(s->b, local), row, err);
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
    s->w.to = &g->to[shard];
    *out = (struct row_sink){ .row = add_row, .parts = add_parts, .self = s };
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
    const struct shard_sinks *s = g->given->sinks;

    return s && s->done && s->done(s->self, g->r->first_shard + shard);
}

static int count_batch(struct runs *r, struct batch *b,
                       const struct count_job *job, struct cooc_err *err)
{
    const struct batch_job *g = job->given;
    struct segments self = { .r = r, .b = b, .given = g };
    struct shard_sinks sinks = { begin, end, &self, done };
    struct count_job mine = *job;
    int rc = runs_append(r, &self.to, err);

    if (rc == 0)
        rc = batch_load(b, &job->fwd, g->plan->cuts + r->first_shard, r->shards,
                        err);
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
    const struct batch_job *given = job->given;
    struct batch b = { 0 };
    int rc = 0;

    for (uint32_t d = 0; d < job->fwd.n && rc == 0; d = b.last) {
        batch_cut(&b, &job->fwd, d, given->budget);
        if (!b.docs)
            break;
        rc = count_batch(r, &b, job, err);
        d = b.last;
        batch_release(&b);
        mem_trim(); /* blocks of other sizes follow */
        b.last = d;
        given->report->batches++;
    }
    return rc;
}

/* ---- the method --------------------------------------------------------- */

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    const struct batch_job *given = job->given;
    struct runs *r;
    int rc = runs_new(&r, given->budget, given->plan, job, err);

    *shared = NULL;
    if (rc < 0)
        return rc;
    if (job->watch)
        watch_phase(job->watch, "counting batches", "increments",
                    given->plan->total);
    rc = count_batches(r, job, err);
    if (rc == 0)
        rc = runs_ready(r, job->watch, given->report, err);
    if (rc < 0) {
        runs_free(r);
        return rc;
    }
    *shared = r;
    return 0;
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    return runs_emit(job->shared, job, out, err);
}

struct count_method batch_method(const struct count_method *inner)
{
    return (struct count_method){ .about = inner->about,
                                  .by_rows = true,
                                  .prepare = prepare,
                                  .release = runs_free,
                                  .run = run };
}
