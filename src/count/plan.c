/* plan.c - compute the costs of rows and divide them into shards. */
#include "count/plan.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"

#ifndef SHARD_COST /* tests/abuse/ uses smaller shards */
#define SHARD_COST ((uint64_t)1 << 24) /* minimum increments per shard */
#endif
#define SHARDS_SMALL 128u   /* about the most shards of a collection with at */
#define SMALL 8u            /* most SHARDS_SMALL * SMALL * SHARD_COST */
#define SHARDS_MAX 16384u   /* about the most shards */
#define SHARE_COST 4u       /* shards per share of the omitted rows */
/* Maximum rows per shard, because a writer keeps their offsets in memory. */
#define SHARD_ROWS ((uint32_t)1 << 18)
#define RECOUNT_COST 16384u /* increments: 20 to 60 microseconds */
#define COST_JOB ((uint64_t)1 << 20) /* postings per job */
#define SUM_JOB ((uint32_t)1 << 16)  /* rows per job */
#define FORGET_AFTER ((uint32_t)1 << 18) /* items; then give pages back */

__extension__ typedef unsigned __int128 wide; /* products of 64-bit numbers */

/* Append ranges of rows from the last cut up to last, each of cost `each` or
 * just above, and with at most `rows` rows. */
static int add_cuts(const struct count_plan *p, uint32_t **cuts, uint32_t *n,
                    uint32_t last, uint64_t each, uint32_t rows,
                    struct cooc_err *err)
{
    size_t cap = (size_t)*n + 1;
    uint64_t sum = 0;

    for (uint32_t t = (*cuts)[*n]; t < last; t++) {
        int rc;

        sum += p->cost[t];
        if (sum < each && t + 1 < last && t + 1 - (*cuts)[*n] < rows)
            continue;
        rc = array_grow(cuts, &cap, (size_t)*n + 2, sizeof **cuts, err);
        if (rc < 0)
            return rc;
        count_plan_forget(p, (*cuts)[*n], t);
        (*cuts)[++*n] = t + 1;
        sum = 0;
    }
    return 0;
}

/* The cost of a shard.  Beyond a small collection, both the number of shards
 * and their cost grow with the square root of the total. */
static uint64_t shard_cost(uint64_t total, uint32_t rows)
{
    const uint64_t largest = SHARD_COST * SMALL; /* of a small collection */
    const wide small = (wide)largest * SHARDS_SMALL;
    uint32_t by_rows = rows / SHARD_ROWS, most;
    uint64_t lo = 16, hi = (uint64_t)1 << 34, each; /* in largest / 16 */

    if (total <= small) {
        each = total / SHARDS_SMALL;
        return each > SHARD_COST ? each : SHARD_COST;
    }
    while (lo < hi) { /* the least with total <= small * (lo / 16)^2 */
        uint64_t mid = lo + (hi - lo) / 2;

        if ((wide)total * 256 > small * mid * mid)
            lo = mid + 1;
        else
            hi = mid;
    }
    most = SHARDS_MAX - (by_rows < SHARDS_MAX / 2 ? by_rows : SHARDS_MAX / 2);
    each = (uint64_t)((wide)largest * lo / 16);
    return each > total / most ? each : total / most;
}

/* Divide the rows [0, made) into shards. */
static int cut_shards(struct count_plan *p, uint32_t made,
                      struct cooc_err *err)
{
    uint64_t total = 0;

    mem_free(p->cuts);
    p->n_shards = 0;
    p->made = made;
    p->cuts = mem_zarray(1, sizeof *p->cuts);
    if (!p->cuts)
        return err_nomem(err);
    for (uint32_t t = 0; t < made; t++) {
        total += p->cost[t];
        if (t % FORGET_AFTER == FORGET_AFTER - 1)
            count_plan_forget(p, t + 1 - FORGET_AFTER, t);
    }
    return add_cuts(p, &p->cuts, &p->n_shards, made, shard_cost(total, made),
                    SHARD_ROWS, err);
}

/* Divide the omitted rows into shares.  The rows from `single` on are those of
 * terms with one document, which need no work. */
static int cut_shares(struct count_plan *p, uint32_t single, uint32_t n_terms,
                      struct cooc_err *err)
{
    uint64_t total = 0;
    int rc;

    mem_free(p->share_cuts);
    p->n_shares = 0;
    p->share_cuts = mem_array(2, sizeof *p->share_cuts);
    if (!p->share_cuts)
        return err_nomem(err);
    p->share_cuts[0] = p->made;
    p->share_cuts[1] = n_terms;
    for (uint32_t t = p->made; t < single; t++) {
        total += p->cost[t];
        if (t % FORGET_AFTER == FORGET_AFTER - 1)
            count_plan_forget(p, t + 1 - FORGET_AFTER, t);
    }
    rc = add_cuts(p, &p->share_cuts, &p->n_shares, single,
                  SHARE_COST * shard_cost(total, 0), UINT32_MAX, err);
    if (!p->n_shares && p->made < n_terms)
        p->n_shares = 1;
    p->share_cuts[p->n_shares] = n_terms;
    return rc;
}

int count_plan_widen(struct count_plan *p, uint32_t last,
                     struct cooc_err *err)
{
    size_t cap = (size_t)p->n_shards + 1;
    int rc = 0;

    for (uint32_t i = 0; i < p->n_shares && p->share_cuts[i] < last; i++) {
        uint32_t end = p->share_cuts[i + 1];

        rc = array_grow(&p->cuts, &cap, (size_t)p->n_shards + 2,
                        sizeof *p->cuts, err);
        if (rc < 0)
            return rc;
        p->cuts[++p->n_shards] = end < last ? end : last;
    }
    return rc;
}

/* ---- costs --------------------------------------------------------------
 *
 * Workers add up the costs in ranges of documents, each in an array of its own;
 * then the arrays are added.  Sums of integers do not depend on the order. */

/* What one worker has added up. */
struct cost_sum {
    uint64_t *cost; /* by row, from `first` on */
    uint64_t total; /* if first is 0 */
    uint32_t longest_doc;
};

struct costing {
    const struct lists *fwd;
    uint32_t first, last;  /* rows */
    struct cost_sum *sums; /* by worker; the first gets the result */
    unsigned workers;
};

/* Add the costs of the rows in the documents [d, end). */
static void add_docs(struct cost_sum *sum, const struct costing *c,
                     uint32_t d, uint32_t end)
{
    const struct lists *fwd = c->fwd;
    uint32_t behind = d;

    for (; d < end; d++) {
        const uint32_t *terms = fwd->ids + fwd->off[d];
        size_t len = (size_t)(fwd->off[d + 1] - fwd->off[d]), i = 0;

        if (c->first)
            terms_before(fwd, d, c->first, &i);
        else
            sum->total += len ? (uint64_t)len * (len - 1) / 2 : 0;
        for (; i < len && terms[i] < c->last; i++)
            sum->cost[terms[i] - c->first] += i;
        if (len > sum->longest_doc)
            sum->longest_doc = (uint32_t)len;
        if (fwd->off[d] - fwd->off[behind] > FORGET_AFTER ||
            d - behind > FORGET_AFTER) {
            lists_forget(fwd, behind, d);
            behind = d;
        }
    }
    lists_forget(fwd, behind, end);
}

/* The first document that begins at this posting or later. */
static uint32_t doc_at(const struct lists *fwd, uint64_t posting)
{
    uint32_t lo = 0, hi = fwd->n;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (fwd->off[mid] < posting)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int cost_job(void *self, unsigned worker, uint64_t job,
                    struct cooc_err *err)
{
    const struct costing *c = self;
    struct cost_sum *sum = &c->sums[worker];

    if (!sum->cost)
        sum->cost = mem_zarray(c->last - c->first, sizeof *sum->cost);
    if (!sum->cost)
        return err_nomem(err);
    add_docs(sum, c, doc_at(c->fwd, job * COST_JOB),
             doc_at(c->fwd, (job + 1) * COST_JOB));
    return 0;
}

/* Add the arrays of all workers for a range of rows. */
static int add_sums(void *self, unsigned worker, uint64_t job,
                    struct cooc_err *err)
{
    const struct costing *c = self;
    uint32_t n = c->last - c->first, first = (uint32_t)job * SUM_JOB;
    uint32_t last = n - first < SUM_JOB ? n : first + SUM_JOB;

    (void)worker;
    (void)err;
    for (unsigned i = 1; i < c->workers; i++)
        for (uint32_t t = first; c->sums[i].cost && t < last; t++)
            c->sums[0].cost[t] += c->sums[i].cost[t];
    return 0;
}

/* Compute cost[t - first] for the rows [first, last), in one pass. */
static int add_costs(struct count_plan *p, const struct lists *fwd,
                     uint32_t first, uint32_t last, uint64_t *cost,
                     unsigned workers, struct cooc_err *err)
{
    struct costing c = { .fwd = fwd, .first = first, .last = last,
                         .workers = workers };
    int rc;

    c.sums = mem_zarray(workers, sizeof *c.sums);
    if (!c.sums)
        return err_nomem(err);
    c.sums[0].cost = cost;
    rc = pool_for(fwd->off[fwd->n] / COST_JOB + 1, workers, cost_job, &c, err);
    if (rc == 0 && workers > 1)
        rc = pool_for(((uint64_t)last - first + SUM_JOB - 1) / SUM_JOB,
                      workers, add_sums, &c, err);
    for (unsigned i = 0; i < workers; i++) {
        p->total += c.sums[i].total;
        if (c.sums[i].longest_doc > p->longest_doc)
            p->longest_doc = c.sums[i].longest_doc;
        if (i)
            mem_free(c.sums[i].cost);
    }
    mem_free(c.sums);
    for (uint32_t t = first; t < last; t++) {
        uint64_t most = cost[t - first] < t ? cost[t - first] : t;

        if (most > p->longest_row)
            p->longest_row = (uint32_t)most;
    }
    return rc;
}

/* Compute the costs of `part` rows at a time into a file, and map it. */
static int costs_in_file(struct count_plan *p, const struct lists *fwd,
                         uint32_t n_terms, uint32_t part, const char *dir,
                         struct cooc_err *err)
{
    uint64_t *cost = mem_array(part, sizeof *cost);
    size_t bytes = (size_t)n_terms * sizeof *cost;
    void *map;
    int fd = -1, rc = cost ? file_temp(&fd, dir, err) : err_nomem(err);

    for (uint32_t t = 0, n; t < n_terms && rc == 0; t += n) {
        n = n_terms - t < part ? n_terms - t : part;
        memset(cost, 0, n * sizeof *cost);
        rc = add_costs(p, fwd, t, t + n, cost, 1, err);
        if (rc == 0)
            rc = file_write(fd, cost, n * sizeof *cost, dir, err);
    }
    mem_free(cost);
    if (rc == 0) {
        map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
        if (map == MAP_FAILED) {
            rc = err_sys(err, "cannot map a temporary file", dir);
        } else {
            p->cost = map;
            p->mapped = bytes;
        }
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

static int costs_in_memory(struct count_plan *p, const struct lists *fwd,
                           uint32_t n_terms, unsigned workers,
                           struct cooc_err *err)
{
    *p = (struct count_plan){ 0 };
    p->cost = mem_zarray(n_terms, sizeof *p->cost);
    if (!p->cost)
        return err_nomem(err);
    return add_costs(p, fwd, 0, n_terms, p->cost, workers, err);
}

int count_plan_costs(struct count_plan *p, const struct lists *fwd,
                     uint32_t n_terms, struct cooc_err *err)
{
    return costs_in_memory(p, fwd, n_terms, 1, err);
}

/* The number of workers that fit in `memory`, and that have enough to do to pay
 * for adding their arrays. */
static unsigned workers_for(const struct lists *fwd, uint32_t n_terms,
                            uint64_t memory, unsigned threads)
{
    uint64_t most = memory / sizeof(uint64_t) / (n_terms ? n_terms : 1);
    uint64_t useful = fwd->off[fwd->n] / COST_JOB + 1;

    if (useful > fwd->off[fwd->n] / 2 / (n_terms ? n_terms : 1) + 1)
        useful = fwd->off[fwd->n] / 2 / (n_terms ? n_terms : 1) + 1;
    most = most < useful ? most : useful;
    most = most < threads ? most : threads;
    return most ? (unsigned)most : 1;
}

int count_plan_within(struct count_plan *p, const struct lists *fwd,
                      uint32_t n_terms, const struct plan_room *room,
                      struct cooc_err *err)
{
    uint64_t part = room->memory / sizeof *p->cost;
    int rc;

    part = part ? part : 1;
    *p = (struct count_plan){ 0 };
    rc = n_terms <= part
             ? costs_in_memory(p, fwd, n_terms,
                               workers_for(fwd, n_terms, room->memory,
                                           room->threads), err)
             : costs_in_file(p, fwd, n_terms, (uint32_t)part, room->dir, err);
    if (rc == 0)
        rc = cut_shards(p, n_terms, err);
    if (rc < 0)
        count_plan_release(p);
    return rc;
}

static uint64_t df_of(const struct lists *inv, uint32_t t)
{
    return inv->off[t + 1] - inv->off[t];
}

/* Called for each t in ascending order: give pages of finished rows back
 * to the kernel.  (In descending order, the kernel would read ahead more
 * than is needed.) */
static void forget_after(const struct count_plan *p, const struct lists *inv,
                         uint32_t t)
{
    if (t % FORGET_AFTER == FORGET_AFTER - 1 || t + 1 == inv->n) {
        uint32_t first = t - t % FORGET_AFTER;

        lists_forget(inv, first, t + 1);
        count_plan_forget(p, first, t + 1);
    }
}

/* The largest df such that, for it and every smaller df, recomputing a row
 * takes at most RECOUNT_COST increments on average. */
static uint32_t choose_df(const struct count_plan *p, const struct lists *inv)
{
    uint64_t cost[OMITTED_DF_MAX + 1] = { 0 };
    uint32_t rows[OMITTED_DF_MAX + 1] = { 0 }, chosen = 1;

    for (uint32_t t = 0; t < inv->n; t++) {
        uint64_t df = df_of(inv, t);

        if (df <= OMITTED_DF_MAX) {
            cost[df] += p->cost[t];
            rows[df]++;
        }
        forget_after(p, inv, t);
    }
    for (uint32_t df = 2; df <= OMITTED_DF_MAX; df++) {
        if (rows[df] && cost[df] / rows[df] > RECOUNT_COST)
            break;
        chosen = rows[df] ? df : chosen;
    }
    return chosen;
}

int count_plan_leave_out(struct count_plan *p, const struct lists *inv,
                         uint32_t df, struct cooc_err *err)
{
    uint32_t made = 0, single = 0;
    int rc;

    p->omitted_df = df ? df : choose_df(p, inv);
    for (uint32_t t = 0; t < inv->n; t++) {
        if (df_of(inv, t) > p->omitted_df)
            made = t + 1;
        if (df_of(inv, t) > 1)
            single = t + 1;
        forget_after(p, inv, t);
    }
    rc = cut_shards(p, made, err);
    return rc < 0 ? rc
                  : cut_shares(p, single > made ? single : made, inv->n, err);
}

int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err)
{
    const struct plan_room all = { .memory = UINT64_MAX, .threads = 1 };

    return count_plan_within(p, fwd, n_terms, &all, err);
}

void count_plan_release(struct count_plan *p)
{
    if (p->mapped)
        munmap(p->cost, p->mapped);
    else
        mem_free(p->cost);
    mem_free(p->cuts);
    mem_free(p->share_cuts);
    *p = (struct count_plan){ 0 };
}

void count_plan_forget(const struct count_plan *p, uint32_t first,
                       uint32_t last)
{
    if (p->mapped && first < last)
        map_forget(p->cost, (uint64_t)first * sizeof *p->cost,
                   (uint64_t)last * sizeof *p->cost);
}
