/* plan.c - compute the costs of rows and divide them into shards. */
#include "count/plan.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#ifndef SHARD_COST /* tests/abuse/ uses smaller shards */
#define SHARD_COST ((uint64_t)1 << 24) /* minimum increments per shard */
#endif
#define SHARDS_MAX 128                 /* about the most shards */
/* Maximum rows per shard, because a writer keeps their offsets in memory. */
#define SHARD_ROWS ((uint32_t)1 << 18)
#define RECOUNT_COST 16384u /* increments: 20 to 60 microseconds */
#define FORGET_AFTER ((uint32_t)1 << 18) /* items; then give pages back */

/* Append shards for the rows from the last cut up to last, each of cost `each`
 * or just above. */
static int add_cuts(struct count_plan *p, uint32_t last, uint64_t each,
                    struct cooc_err *err)
{
    size_t cap = (size_t)p->n_shards + 1;
    uint64_t sum = 0;

    for (uint32_t t = p->cuts[p->n_shards]; t < last; t++) {
        int rc;

        sum += p->cost[t];
        if (sum < each && t + 1 < last &&
            t + 1 - p->cuts[p->n_shards] < SHARD_ROWS)
            continue;
        rc = array_grow(&p->cuts, &cap, (size_t)p->n_shards + 2,
                        sizeof *p->cuts, err);
        if (rc < 0)
            return rc;
        count_plan_forget(p, p->cuts[p->n_shards], t);
        p->cuts[++p->n_shards] = t + 1;
        sum = 0;
    }
    return 0;
}

/* Divide the rows [0, made) into shards. */
static int cut_shards(struct count_plan *p, uint32_t made,
                      struct cooc_err *err)
{
    uint64_t each = 0;

    mem_free(p->cuts);
    p->n_shards = 0;
    p->made = made;
    p->cuts = mem_zarray(1, sizeof *p->cuts);
    if (!p->cuts)
        return err_nomem(err);
    for (uint32_t t = 0; t < made; t++) {
        each += p->cost[t];
        if (t % FORGET_AFTER == FORGET_AFTER - 1)
            count_plan_forget(p, t + 1 - FORGET_AFTER, t);
    }
    each /= SHARDS_MAX;
    return add_cuts(p, made, each > SHARD_COST ? each : SHARD_COST, err);
}

int count_plan_widen(struct count_plan *p, uint32_t last,
                     struct cooc_err *err)
{
    return add_cuts(p, last, SHARD_COST, err);
}

/* Compute cost[t - first] for the rows [first, last), in one pass. */
static void add_costs(struct count_plan *p, const struct lists *fwd,
                      uint32_t first, uint32_t last, uint64_t *cost)
{
    uint32_t behind = 0;

    for (uint32_t d = 0; d < fwd->n; d++) {
        const uint32_t *terms = fwd->ids + fwd->off[d];
        size_t len = (size_t)(fwd->off[d + 1] - fwd->off[d]), i = 0;

        if (first)
            terms_before(fwd, d, first, &i);
        else
            p->total += len ? (uint64_t)len * (len - 1) / 2 : 0;
        for (; i < len && terms[i] < last; i++)
            cost[terms[i] - first] += i;
        if (len > p->longest_doc)
            p->longest_doc = (uint32_t)len;
        if (fwd->off[d] - fwd->off[behind] > FORGET_AFTER ||
            d - behind > FORGET_AFTER) {
            lists_forget(fwd, behind, d);
            behind = d;
        }
    }
    lists_forget(fwd, behind, fwd->n);
    for (uint32_t t = first; t < last; t++) {
        uint64_t most = cost[t - first] < t ? cost[t - first] : t;

        if (most > p->longest_row)
            p->longest_row = (uint32_t)most;
    }
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
        add_costs(p, fwd, t, t + n, cost);
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

int count_plan_costs(struct count_plan *p, const struct lists *fwd,
                     uint32_t n_terms, struct cooc_err *err)
{
    *p = (struct count_plan){ 0 };
    p->cost = mem_zarray(n_terms, sizeof *p->cost);
    if (!p->cost)
        return err_nomem(err);
    add_costs(p, fwd, 0, n_terms, p->cost);
    return 0;
}

int count_plan_within(struct count_plan *p, const struct lists *fwd,
                      uint32_t n_terms, uint64_t memory, const char *dir,
                      struct cooc_err *err)
{
    uint64_t part = memory / sizeof *p->cost;
    int rc;

    part = part ? part : 1;
    *p = (struct count_plan){ 0 };
    rc = n_terms <= part ? count_plan_costs(p, fwd, n_terms, err)
                         : costs_in_file(p, fwd, n_terms, (uint32_t)part,
                                         dir, err);
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
    uint32_t made = 0;

    p->omitted_df = df ? df : choose_df(p, inv);
    for (uint32_t t = 0; t < inv->n; t++) {
        if (df_of(inv, t) > p->omitted_df)
            made = t + 1;
        forget_after(p, inv, t);
    }
    return cut_shards(p, made, err);
}

int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err)
{
    return count_plan_within(p, fwd, n_terms, UINT64_MAX, NULL, err);
}

void count_plan_release(struct count_plan *p)
{
    if (p->mapped)
        munmap(p->cost, p->mapped);
    else
        mem_free(p->cost);
    mem_free(p->cuts);
    *p = (struct count_plan){ 0 };
}

void count_plan_forget(const struct count_plan *p, uint32_t first,
                       uint32_t last)
{
    if (p->mapped && first < last)
        map_forget(p->cost, (uint64_t)first * sizeof *p->cost,
                   (uint64_t)last * sizeof *p->cost);
}
