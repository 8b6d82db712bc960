/* omitted.c - the number of pairs in the omitted rows.
 *
 * Counting distinct pairs is cheaper than listing them with their counts.  The
 * bitmaps of the documents of a row are united, 256 columns at a time, and the
 * ones are counted.  Terms beyond a bitmap are looked at one by one: if another
 * bitmap of the row covers them, they are added to the union.  Beyond all
 * bitmaps, each row has a stamp, which it writes to every term that it meets; a
 * term counts if it does not yet have the stamp of the row.
 *
 *     for each row t
 *         union = union of bitmaps[d] over d in inverted[t]
 *         for each d in inverted[t], each s < t in the tail of d
 *             pairs += stamps[s] != stamp of t
 *             stamps[s] = stamp of t
 *         pairs += number of ones in union
 *
 * Cost.  About 0.5 ns per document and 256 columns, and 1 to 2 ns for each term
 * beyond the bitmaps.  Nothing is sorted, and since a stamp is a byte, stamps
 * are cleared only every 255 rows.  The row of a term with a single document
 * has as many pairs as increments.
 *
 * Without bitmaps (methods other than bit-scan), every term is stamped.
 *
 * Threads.  Rows are independent; a job is a range of rows.  Memory: one byte
 * per term per worker.
 */
#include "count/omitted.h"

#include <stdatomic.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "kernel/kernel.h"
#include "rows/doc_maps.h"

#define ROWS_AT_ONCE 1024u

_Static_assert(OMITTED_DF_MAX <= MAP_GROUP, "a row is one group of bitmaps");

struct stamps {
    uint8_t *of;  /* stamp of each term; 0: none */
    uint8_t last; /* the last stamp used */
    struct united {
        uint64_t all[DOC_MAP_MAX / 64]; /* the union of the bitmaps of a row */
        struct map_group group;
    } *row; /* too large for a small stack */
};

/* A range of rows that is being counted. */
struct range {
    uint32_t number, first, last;
    uint64_t first_job;
    atomic_uint_fast64_t left, pairs; /* unfinished jobs; pairs so far */
};

struct omitted {
    const struct count_plan *plan;
    const struct omitted_ranges *given;
    struct range *ranges;
    uint32_t n_ranges;
    const struct lists *fwd, *inv;
    const struct doc_maps *maps; /* or NULL */
    const struct kernels *k;
    struct watch *watch;
    struct stamps *stamps; /* by worker */
};

static uint8_t next_stamp(struct stamps *s, uint32_t n_terms)
{
    if (s->last == UINT8_MAX) {
        memset(s->of, 0, n_terms);
        s->last = 0;
    }
    return ++s->last;
}

/* Stamp the terms of an ascending list that are below t, and count those that
 * did not have the stamp yet.  The list must contain t. */
static uint64_t stamp_terms(uint8_t *stamps, uint8_t own,
                            const uint32_t *terms, uint32_t t)
{
    uint64_t pairs = 0;

    for (; *terms < t; terms++) {
        pairs += stamps[*terms] != own;
        stamps[*terms] = own;
    }
    return pairs;
}

static uint64_t stamp_row(const struct omitted *l, uint32_t t,
                          struct stamps *s)
{
    uint8_t own = next_stamp(s, l->inv->n);
    uint64_t pairs = 0;

    for (uint64_t i = l->inv->off[t]; i < l->inv->off[t + 1]; i++)
        pairs += stamp_terms(s->of, own,
                             l->fwd->ids + l->fwd->off[l->inv->ids[i]], t);
    return pairs;
}

static uint64_t unite_row(const struct omitted *l, uint32_t t,
                          struct stamps *s)
{
    const uint64_t at = l->inv->off[t];
    uint64_t *all = s->row->all, pairs = 0;
    uint8_t own = next_stamp(s, l->inv->n);
    struct map_group *g = &s->row->group;
    uint32_t end; /* of the bitmaps */

    map_group_fill(g, l->maps, t, l->inv->ids + at,
                   (size_t)(l->inv->off[t + 1] - at));
    end = (uint32_t)g->maps[0].words * 64;
    l->k->unite(all, g->maps, g->n, end / 64);
    if (t < end) { /* clear the columns from t on */
        all[t / 64] &= ((uint64_t)1 << t % 64) - 1;
        memset(all + t / 64 + 1, 0, (end / 64 - t / 64 - 1) * sizeof *all);
        end = t;
    }
    for (size_t i = g->n; i-- > 0 && g->maps[i].words * 64 <= t;) {
        const uint32_t *terms = g->tails[i]; /* contains t */

        for (; *terms < end; terms++)
            all[*terms / 64] |= (uint64_t)1 << *terms % 64;
        pairs += stamp_terms(s->of, own, terms, t);
    }
    return pairs + l->k->ones(all, g->maps[0].words);
}

static uint64_t row_pairs(const struct omitted *l, uint32_t t,
                          struct stamps *s)
{
    if (l->inv->off[t + 1] - l->inv->off[t] <= 1)
        return l->plan->cost[t];
    return l->maps ? unite_row(l, t, s) : stamp_row(l, t, s);
}

/* The range that a job belongs to. */
static struct range *range_of(const struct omitted *l, uint64_t job)
{
    uint32_t lo = 0, hi = l->n_ranges;

    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (l->ranges[mid].first_job <= job)
            lo = mid;
        else
            hi = mid;
    }
    return &l->ranges[lo];
}

static int finish_job(const struct omitted *l, struct range *r,
                      uint64_t pairs, struct cooc_err *err)
{
    atomic_fetch_add(&r->pairs, pairs);
    return atomic_fetch_sub(&r->left, 1) > 1
               ? 0 : l->given->finish(l->given->self, r->number,
                                      atomic_load(&r->pairs), err);
}

static int count_rows(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    struct omitted *l = self;
    struct stamps *stamps = &l->stamps[worker];
    struct range *r = range_of(l, job);
    uint32_t first = r->first + (uint32_t)(job - r->first_job) * ROWS_AT_ONCE;
    uint32_t last = r->last - first > ROWS_AT_ONCE ? first + ROWS_AT_ONCE
                                                   : r->last;
    uint64_t pairs = 0, increments = 0, work = 0;
    int rc;

    if (!stamps->of)
        stamps->of = mem_zarray(l->inv->n, 1);
    if (!stamps->row)
        stamps->row = mem_array(1, sizeof *stamps->row);
    if (!stamps->of || !stamps->row)
        return err_nomem(err);
    for (uint32_t t = first; t < last; t++) {
        pairs += row_pairs(l, t, stamps);
        increments += l->plan->cost[t];
        work += count_plan_work(l->plan, l->inv, t);
    }
    lists_forget(l->inv, first, last);
    count_plan_forget(l->plan, first, last);
    watch_worked(l->watch, work);
    rc = watch_add(l->watch, increments, 0, pairs, err);
    return rc < 0 ? rc : finish_job(l, r, pairs, err);
}

/* Collect the ranges that are not done, and return the number of jobs. */
static uint64_t collect_ranges(struct omitted *l)
{
    const struct omitted_ranges *g = l->given;
    uint64_t jobs = 0;

    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t rows = g->cuts[i + 1] - g->cuts[i];
        uint64_t n = ((uint64_t)rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
        struct range *r = &l->ranges[l->n_ranges];

        if (!rows || (g->done && g->done(g->self, i)))
            continue;
        r->number = i;
        r->first = g->cuts[i];
        r->last = g->cuts[i + 1];
        r->first_job = jobs;
        atomic_init(&r->left, n);
        atomic_init(&r->pairs, 0);
        l->n_ranges++;
        jobs += n;
    }
    return jobs;
}

int omitted_count(const struct count_plan *plan, const struct count_job *job,
                  unsigned threads, struct watch *watch,
                  const struct omitted_ranges *ranges, struct cooc_err *err)
{
    struct omitted l = { .plan = plan, .given = ranges, .fwd = &job->fwd,
                         .inv = &job->inv, .maps = job->maps, .watch = watch,
                         .k = job->params.kernels,
                         .ranges = mem_zarray(ranges->n, sizeof *l.ranges),
                         .stamps = mem_zarray(threads, sizeof *l.stamps) };
    int rc = l.stamps && l.ranges ? 0 : err_nomem(err);

    if (rc == 0 && !l.k)
        l.k = kernel_find(NULL, err);
    if (rc == 0)
        rc = pool_for(collect_ranges(&l), threads, count_rows, &l, err);
    for (unsigned i = 0; l.stamps && i < threads; i++) {
        mem_free(l.stamps[i].of);
        mem_free(l.stamps[i].row);
    }
    mem_free(l.stamps);
    mem_free(l.ranges);
    return rc;
}

static int add_pairs(void *self, uint32_t range, uint64_t pairs,
                     struct cooc_err *err)
{
    uint64_t *sum = self; /* there is only one range */

    (void)range;
    (void)err;
    *sum += pairs;
    return 0;
}

int omitted_pairs(const struct count_plan *plan, const struct count_job *job,
                  unsigned threads, struct watch *watch, uint64_t *pairs,
                  struct cooc_err *err)
{
    const uint32_t cuts[] = { plan->made, job->inv.n };
    uint64_t sum = 0;
    const struct omitted_ranges all = { .cuts = cuts, .n = 1,
                                        .finish = add_pairs, .self = &sum };
    int rc = omitted_count(plan, job, threads, watch, &all, err);

    if (rc == 0)
        *pairs = sum;
    return rc;
}
