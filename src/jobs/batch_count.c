/* batch_count.c - count in batches.
 *
 *     for each batch of documents
 *         count it with the inner method, on all threads
 *         write its rows to the spool as a run, with one stream per shard
 *     for each shard
 *         add up the rows of all runs (runs.c)
 *
 * Cost.  A row is encoded, written, read and decoded once for each batch that
 * contains its term, and its sum is encoded again.  With more than
 * BUDGET_FAN_IN batches, some rows are written and read once more.
 *
 * Memory.  As computed in budget.c.
 */
#include "jobs/batch.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "count/count_run.h"
#include "jobs/runs.h"
#include "rows/row_parts.h"

/* ---- one batch ---------------------------------------------------------- */

/* A shard of a batch that is being written to the spool. */
struct segment {
    const struct batch *b;
    struct run_writer w;
    struct entry *entries; /* a row to be translated */
    size_t cap;
};

struct segments {
    struct runs *r;
    struct spool *to; /* streams of the run, by shard */
    const struct batch *b;
};

static void segment_free(struct segment *s)
{
    if (!s)
        return;
    run_writer_release(&s->w);
    mem_free(s->entries);
    mem_free(s);
}

/* Write the row in s->entries with the ids of the collection. */
static int translate(struct segment *s, uint32_t local, size_t n,
                     struct cooc_err *err)
{
    for (size_t i = 0; i < n; i++)
        s->entries[i].term = batch_term(s->b, s->entries[i].term);
    return run_writer_row(&s->w, batch_term(s->b, local), s->entries, n, err);
}

static int add_row(void *self, uint32_t local, const struct entry *e,
                   size_t n, struct cooc_err *err)
{
    struct segment *s = self;
    int rc;

    if (!n || e[n - 1].term < s->b->zone)
        return run_writer_row(&s->w, batch_term(s->b, local), e, n, err);
    rc = array_grow(&s->entries, &s->cap, n, sizeof *s->entries, err);
    if (rc < 0)
        return rc;
    memcpy(s->entries, e, n * sizeof *e);
    return translate(s, local, n, err);
}

/* Whether all columns of the row have the same id in the collection. */
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
    rc = row_parts_expand(row, &s->entries, &s->cap, &n, err);
    return rc < 0 ? rc : translate(s, local, n, err);
}

static int begin(void *self, uint32_t shard, struct row_sink *out,
                 struct cooc_err *err)
{
    struct segments *g = self;
    struct segment *s = mem_zarray(1, sizeof *s);

    if (!s)
        return err_nomem(err);
    s->b = g->b;
    s->w = runs_writer(g->r, &g->to[shard]);
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
    const struct shard_sinks *s = g->r->given->sinks;

    return s && s->done && s->done(s->self, g->r->first_shard + shard);
}

static int count_one(struct runs *r, struct batch *b,
                     const struct count_job *job, struct cooc_err *err)
{
    const struct budget *budget = r->given->budget;
    struct segments self = { .r = r, .b = b };
    struct shard_sinks sinks = { begin, end, &self, done };
    struct count_job mine = *job;
    int rc = runs_append(r, &self.to, err);

    if (rc == 0)
        rc = batch_load(b, &job->fwd, r->cuts, r->shards, err);
    if (rc < 0)
        return rc;
    mine.fwd = b->forward;
    mine.inv = b->inverted;
    mine.given = NULL;
    budget_params(budget, b->docs, b->postings, b->tails, &mine.params);
    return count_run(budget->method, &b->plan, &mine, budget->threads, &sinks,
                     job->watch, err);
}

int batch_count(struct runs *r, const struct count_job *job,
                struct cooc_err *err)
{
    const struct runs_job *given = r->given;
    struct batch b;
    int rc = 0;

    watch_phase(job->watch, "counting batches", "increments",
                given->plan->total);
    for (uint32_t d = 0; d < job->fwd.n && rc == 0;) {
        batch_cut(&b, &job->fwd, d, given->budget);
        if (!b.docs)
            break;
        d = b.last;
        rc = count_one(r, &b, job, err);
        batch_release(&b);
        mem_trim(); /* the next batch has other sizes */
        given->report->batches++;
    }
    return rc;
}
